"""The pages of the book: links lead somewhere, and what the pages show works."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
PAGES = sorted(DOCS.rglob("*.md"))
# pages whose Python blocks are run, one after the other, in a copy of examples/models
RUN = ["start-python", "from-mujoco", "models", "step", "parameters", "callbacks", "extending", "performance", "examples",
       "rendering", "sysid", "batch", "lean", "envs"]
PROGRAMS = ["pendulum", "humanoid_pd", "muscle_arm", "inverse_kinematics", "system_identification", "cloth"]
# what the programs must have found
FINDINGS = {
    "pendulum": r"RK4 +[+-]\d\.\de-(0[6-9]|1\d)",
    "humanoid_pd": r"at the end \d\.\de-0[3-9]",
    "muscle_arm": r"2\.\d° with both muscles at 0\.9",
    "inverse_kinematics": r"\(0\.1, -0\.5, 0\.4\) +in +\d+ steps, error \de-(0[6-9]|1\d)",
    "system_identification": r"mass of the hand \(kg\) +0\.50 +1\.[67]\d+ +1\.70",
    "cloth": r"top of the cloth 0\.4[5-9]\d m",
}


def blocks(page, language):
    """Code blocks of a page: text and line."""
    text = page.read_text()
    for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield found[1], text[:found.start()].count("\n") + 2


def anchor(title):
    """What a heading is called in a link, as GitHub and mdBook name it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"],
                         ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, part = target.partition("#")
        file = page if not name else page.parent / name
        assert file.exists(), f"{page.name}: {target}"
        if part:
            titles = re.findall(r"^#+ (.*)$", without_code(file.read_text()), re.MULTILINE)
            assert part in map(anchor, titles), f"{page.name}: {target}"


def test_the_summary_lists_pages_once():
    listed = re.findall(r"\]\(([^)]+)\)", (DOCS / "SUMMARY.md").read_text())
    assert len(listed) == len(set(listed))
    assert "introduction.md" in listed and all((DOCS / name).exists() for name in listed)


@pytest.mark.parametrize("name", RUN)
def test_python_of_a_page_runs(name, tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES / "models", tmp_path / "models")
    monkeypatch.chdir(tmp_path / "models")
    page = DOCS / f"{name}.md"
    parts, names = list(blocks(page, "python")), {}
    assert parts, f"{page.name} has no Python"
    for text, line in parts:
        code = compile("\n" * (line - 1) + text, str(page), "exec")
        exec(code, names)


def test_readme_runs_from_the_repository(monkeypatch):
    """Its Python snippets work one after the other, as written, for someone who is in the folder of the repository."""
    readme = ROOT / "README.md"
    if "examples/models/" not in readme.read_text():
        pytest.skip("README names files of the reader's own")
    monkeypatch.chdir(ROOT)
    names = {}
    for text, line in blocks(readme, "python"):
        exec(compile("\n" * (line - 1) + text, str(readme), "exec"), names)


@pytest.mark.parametrize("name", PROGRAMS)
def test_examples_find_what_they_claim(name, tmp_path):
    picture = tmp_path / "picture.png"
    takes_picture = "PICTURE" in (EXAMPLES / f"{name}.py").read_text()
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py"), *([str(picture)] if takes_picture else [])],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(FINDINGS[name], done.stdout), done.stdout
    assert not takes_picture or picture.read_bytes().startswith(b"\x89PNG")


def test_the_page_of_examples_lists_them():
    text = (DOCS / "examples.md").read_text()
    learning = {"own_environment", "ppo"}  # tested in test_envs.py and by scripts/test-training
    assert all(f"`{name}.py`" in text for name in (*PROGRAMS, *learning))
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*PROGRAMS, *learning, "pictures"}
