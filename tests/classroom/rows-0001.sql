insert into course (id, title, zone, secret, created)
  values ('cs101', 'C', 'UTC', 'aa', 1);
insert into person (id, hub_name, created)
  values ('p1', 'ada', 1), ('p2', 'prof', 1);
insert into membership (course, person, role, active, since)
  values ('cs101', 'p1', 'learner', true, 1);
insert into quiz (id, course, slug, title, grace, runs, policy, late_share, reveal, created)
  values ('q1', 'cs101', 'week-3', 'W', 60000, 2, 'best', '0.1', 'closed', 1);
insert into version (id, quiz, number, hash, published, publisher)
  values ('v1', 'q1', 1, 'h', 1, 'prof');
insert into version_key (version, compiled)
  values ('v1', '{}');
insert into exception (id, quiz, person, time_factor, extra_runs, excused, reason, made_by, made)
  values ('e1', 'q1', 'p1', '1.5', 1, false, 'r', 'prof', 2);
insert into attempt (id, quiz, version, person, number, opened, finished, finished_by, scored)
  values ('a1', 'q1', 'v1', 'p1', 1, 5, 9, 'learner', true);
insert into submission (person, id, attempt, item, response, digest, received, round, status)
  values ('p1', 'a1/i/1', 'a1', 'i', '["x"]', 'd', 6, 0, 'recorded');
insert into outcome (attempt, item, submission, score, max_score, computed)
  select 'a1', 'i', sequence, '1', '1', 10 from submission;
insert into score (quiz, person, attempt, score, max_score, late_penalty, computed)
  values ('q1', 'p1', 'a1', '1', '1', '0', 10);
insert into audit (at, who, course, what, object)
  values (1, 'prof', 'cs101', 'publish', 'week-3 version 1');
