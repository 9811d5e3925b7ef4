"""What learners did as xAPI statements, for a store of learning records, where the desk's environment names one."""
