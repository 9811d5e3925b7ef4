"""What `deploy/` says is what the desk reads: ports, variables, secrets, scopes, paths. No cluster is needed."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
import yaml

from quiz_widgets import cli
from quiz_widgets.classroom.client.environment import DESK
from quiz_widgets.classroom.desk import settings
from quiz_widgets.cli.classroom import serving

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SCHEMAS: dict[str, Any] = json.loads((Path(__file__).parent / "deploy-schemas.json").read_text(encoding="utf-8"))
THINGS = {
    thing["kind"]: thing
    for thing in yaml.safe_load_all((DEPLOY / "kubernetes" / "desk.yaml").read_text(encoding="utf-8"))
}
VALUES = yaml.safe_load((DEPLOY / "kubernetes" / "values.yaml").read_text(encoding="utf-8"))
POD = THINGS["Deployment"]["spec"]["template"]
[CONTAINER] = POD["spec"]["containers"]


class Asked(dict[str, str]):
    """An environment that remembers what was asked of it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.names: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        return super().get(name, default)


def read(given: dict[str, str]) -> tuple[settings.Settings, set[str]]:
    """What the desk makes of these variables, and all that it looks for."""
    asked = Asked({"QUIZ_DESK_DATABASE": "postgresql+psycopg://desk@db/desk", "QUIZ_DESK_SECRETS": "ab" * 32, **given})
    return settings.read(asked), asked.names


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_thing_has_the_fields_that_a_cluster_needs(kind: str) -> None:
    jsonschema.Draft202012Validator(SCHEMAS[kind]).validate(THINGS[kind])

    assert THINGS.keys() == SCHEMAS.keys()


def test_files_on_their_way_have_a_place_though_the_rest_is_read_only() -> None:
    assert CONTAINER["securityContext"]["readOnlyRootFilesystem"]
    [mount] = CONTAINER["volumeMounts"]
    [volume] = POD["spec"]["volumes"]
    assert mount["mountPath"] == "/tmp"
    assert volume["name"] == mount["name"]
    assert "emptyDir" in volume


@pytest.mark.parametrize("token", ["short", "a" * 31 + " ", "a" * 257])
def test_a_token_for_the_metrics_is_long(token: str) -> None:
    with pytest.raises(settings.SettingsError, match="QUIZ_DESK_METRICS_TOKEN must be 32 to 256"):
        read({"QUIZ_DESK_METRICS_TOKEN": token})
    assert [read({"QUIZ_DESK_METRICS_TOKEN": one})[0].metrics_token for one in ("a" * 32, "")] == ["a" * 32, None]


def test_every_variable_is_one_that_the_desk_reads() -> None:
    given = {one["name"]: one.get("value", "x") for one in CONTAINER["env"] if "value" in one}

    found, names = read(given)

    assert {one["name"] for one in CONTAINER["env"]} <= names
    assert {"QUIZ_DESK_DATABASE", "QUIZ_DESK_SECRETS", "QUIZ_DESK_METRICS_TOKEN", "JUPYTERHUB_API_TOKEN"} <= {
        one["name"] for one in CONTAINER["env"] if "valueFrom" in one
    }
    assert (found.hub_api, found.service, found.prefix) == ("http://hub:8081/hub/api", "quiz", "/services/quiz/")
    for probe in ("readinessProbe", "livenessProbe"):
        assert CONTAINER[probe]["httpGet"]["path"].removeprefix(found.prefix) in ("ready", "health")


def test_secrets_are_those_that_the_pages_and_the_chart_make() -> None:
    secrets = {
        one["name"]: (one["valueFrom"]["secretKeyRef"]["name"], one["valueFrom"]["secretKeyRef"]["key"])
        for one in CONTAINER["env"]
        if "valueFrom" in one
    }
    head = (DEPLOY / "kubernetes" / "desk.yaml").read_text(encoding="utf-8").split("apiVersion")[0]
    [own] = re.findall(r"secret generic (\S+)", head)
    keys = set(re.findall(r"--from-literal=(\w+)=", head))

    assert {(own, key) for key in keys} == {
        secrets[f"QUIZ_DESK_{name}"] for name in ("DATABASE", "SECRETS", "METRICS_TOKEN")
    }
    [service] = VALUES["hub"]["services"]
    assert secrets["JUPYTERHUB_API_TOKEN"] == ("hub", f"hub.services.{service}.apiToken")


def test_every_port_is_the_desk_s() -> None:
    [port] = [one["containerPort"] for one in CONTAINER["ports"]]
    [served] = THINGS["Service"]["spec"]["ports"]
    [rule] = THINGS["NetworkPolicy"]["spec"]["ingress"]

    assert port == serving.PORT
    assert served["port"] == port
    assert served["targetPort"] == CONTAINER["ports"][0]["name"]
    assert [one["port"] for one in rule["ports"]] == [port]
    assert VALUES["hub"]["services"]["quiz"]["url"] == f"http://{THINGS['Service']['metadata']['name']}:{port}"
    arguments = CONTAINER["args"]
    assert arguments[arguments.index("--port") + 1] == str(port)
    parsed = cli._parser().parse_args(["classroom", *arguments])
    assert (parsed.port, parsed.host, parsed.standalone) == (port, "0.0.0.0", False)


def test_every_selector_finds_the_desk_s_pods() -> None:
    labels = POD["metadata"]["labels"].items()

    for selector in (
        THINGS["Deployment"]["spec"]["selector"]["matchLabels"],
        THINGS["Service"]["spec"]["selector"],
        THINGS["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
        THINGS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels
    assert THINGS["PodDisruptionBudget"]["spec"]["minAvailable"] < THINGS["Deployment"]["spec"]["replicas"]


def test_the_chart_gives_the_same_rights_as_the_printed_configuration(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIZ_SERVICE_TOKEN", "t")
    assert cli.main(["classroom", "hub-config"]) == 0
    c = SimpleNamespace(JupyterHub=SimpleNamespace(services=[]), Spawner=SimpleNamespace(environment={}))
    exec(compile(capsys.readouterr().out, "jupyterhub_config.py", "exec"), {"c": c})
    hub = VALUES["hub"]

    assert hub["config"]["Spawner"]["server_token_scopes"] == c.Spawner.server_token_scopes
    assert hub["config"]["JupyterHub"]["custom_scopes"].keys() == c.JupyterHub.custom_scopes.keys()
    assert {name: role["scopes"] for name, role in hub["loadRoles"].items()} == {
        role["name"]: role["scopes"] for role in c.JupyterHub.load_roles
    }
    [service] = c.JupyterHub.services
    for name in ("oauth_no_confirm", "oauth_client_allowed_scopes"):
        assert hub["services"]["quiz"][name] == service[name]
    address = VALUES["singleuser"]["extraEnv"][DESK]
    assert address.endswith("/services/quiz")
    assert c.Spawner.environment.keys() == VALUES["singleuser"]["extraEnv"].keys()


def test_the_unit_starts_the_desk_with_what_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = configparser.RawConfigParser(strict=False)
    monkeypatch.setattr(unit, "optionxform", str)  # systemd's names have capitals
    unit.read(DEPLOY / "systemd" / "quiz-desk.service", encoding="utf-8")
    service = unit["Service"]
    program, *arguments = service["ExecStart"].split()
    text = (DEPLOY / "systemd" / "quiz-desk.service").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:QUIZ|JUPYTERHUB)_[A-Z_]+", text))

    parsed = cli._parser().parse_args(arguments)
    assert Path(program).name == "quiz-widgets"
    assert (parsed.host, parsed.port, parsed.workers) == ("127.0.0.1", serving.PORT, 1)
    assert named <= read({})[1]
    assert service["StateDirectoryMode"] == "0700"
    assert service["UMask"] == "0077"
    assert service["Restart"] == "always"
    assert service["User"] not in ("root", "")
    assert {"NoNewPrivileges", "ProtectSystem", "ProtectHome", "PrivateTmp", "ProtectProc"} <= set(service)
    assert "Environment" not in service  # secrets stand in a file of their own
