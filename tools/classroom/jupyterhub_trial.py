"""What a classroom on one machine adds to the Hub's configuration that `quiz-widgets classroom hub-config` prints.

Run by JupyterHub behind that text. Accounts and passwords come from the variable QUIZ_TRIAL, which learners' servers
do not get. As root each learner's server runs under a uid of its own, without an account of that number.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Callable
from typing import Any

from jupyterhub.auth import Authenticator
from jupyterhub.spawner import SimpleLocalProcessSpawner

TRIAL = json.loads(os.environ["QUIZ_TRIAL"])


class ListedAuthenticator(Authenticator):
    """Knows the accounts of this trial."""

    async def authenticate(self, _handler: Any, data: dict[str, str]) -> str | None:
        known = TRIAL["passwords"].get(data["username"])
        return data["username"] if known and hmac.compare_digest(known, data["password"]) else None


class UidSpawner(SimpleLocalProcessSpawner):
    """Starts a server in its learner's home, as root under its learner's uid."""

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        home, uid = self.home_dir, TRIAL["uids"].get(name)

        def become() -> None:
            os.umask(0o077)
            if uid is not None:  # raising here stops the start: a server never runs with the Hub's rights
                os.setgroups([])
                os.setgid(uid)
                os.setuid(uid)
            os.chdir(home)

        return become


c = get_config()  # type: ignore[name-defined]  # noqa: F821 - JupyterHub gives it
c.JupyterHub.authenticator_class = ListedAuthenticator
c.Authenticator.allowed_users = set(TRIAL["passwords"])
c.JupyterHub.load_groups["quiz-instructors"]["users"] = TRIAL["instructors"]
c.JupyterHub.spawner_class = UidSpawner
c.SimpleLocalProcessSpawner.home_dir_template = TRIAL["homes"] + "/{username}"
c.Spawner.cmd = [TRIAL["singleuser"]]
c.Spawner.args = [
    "--KernelManager.transport=ipc",  # a kernel's TCP ports are open to every account of the machine
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    *TRIAL["options"],
]
# Short: a kernel's socket lies in it, and the path of one has at most 107 bytes.
c.Spawner.environment.update({"JUPYTER_RUNTIME_DIR": lambda spawner: f"{TRIAL['homes']}/{spawner.user.name}/run"})
c.Spawner.default_url = "/lab/tree/quiz.ipynb"
c.Spawner.start_timeout = c.Spawner.http_timeout = 180  # busy machines
c.JupyterHub.bind_url = TRIAL["url"]
c.JupyterHub.hub_bind_url = TRIAL["hub_url"]
c.ConfigurableHTTPProxy.api_url = TRIAL["proxy_api"]
c.ConfigurableHTTPProxy.command = [TRIAL["proxy"]]
if TRIAL["registrar"]:
    c.JupyterHub.services.append({"name": "registrar", "api_token": TRIAL["registrar"]})
    c.JupyterHub.load_roles.append(
        {"name": "registrar", "services": ["registrar"], "scopes": ["tokens", "read:users:name"]}
    )
