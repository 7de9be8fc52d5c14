"""What a script starts: words, values, guards, environment, layers."""

from collections.abc import Iterator

import pytest

from mtpconfig.carrier import NO_FILES, NOTHING, Opener, Surroundings
from mtpconfig.carriers.shell import ShellCarrier, write
from mtpconfig.launch import Default, Known, Launch, OneOf, Opaque, exclude
from mtpconfig.text import Fragment, Source
from tests.carriers.shell_reading import argv, argvs, env, only, read

PREFIXES = [
    "exec -a x",
    "nohup",
    "env -i -u Y A=1",
    "sudo -u me -E -H",
    "nice -n 5",
    "ionice -c2 -n 0",
    "timeout -k 5 --signal=INT 10m",
    "numactl --cpunodebind=0 -m 0",
    "numactl $policy",
    "numactl $policy --membind=0",
    "taskset -c 0-7",
    "taskset 0xff",
    "stdbuf -oL",
    "setsid",
    "time",
    "chrt -f 10",
    "systemd-run --user --unit x -p A=b",
    "gdb -ex run --args",
    "strace -f -o log",
    "perf stat -e cycles --",
    "nsys profile -o out --stats=true",
    "mpirun -np 2",
    "srun -N 1 --gpus 2",
    "caffeinate -i",
    "command",
    "unbuffer",
    "docker exec -it -e A=b box",
    "kubectl exec -it pod/x -c y --",
    "ssh -p 22 -i key host",
    "screen -dmS name",
    "tmux new-session -d -s name",
    "conda run -n env --no-capture-output",
    "uv run --with x",
    "uv tool run --from x",
    "uvx --from x",
    "pipx run --spec x==1.0",
    "ray job submit --address http://h:8265 --",
    "accelerate launch --num_processes 2",
    "bash -c",
    "sudo bash -lc",
    "flock -n /tmp/lock",
    "gosu user",
    "tini --",
]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefixes_are_stripped(prefix: str) -> None:
    command = "'prog --a 1'" if prefix.endswith("c") and "bash" in prefix else "prog --a 1"
    launch = only(f"{prefix} {command}\n")
    assert argv(launch) == ["prog", "--a", "1"]
    assert launch.fragment.text.startswith("prog")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("prog a \\\n  b\n", [["prog", "a", "b"]]),
        ("prog a \\\n  # why\n  --b\n", [["prog", "a"], ["--b"]]),
        ("prog a \\ \n  --b\n", [["prog", "a", " "], ["--b"]]),
        ("prog > log 2>&1 --a &\n", [["prog", "--a"]]),
        ("a | b && c || d; ! e; (f); { g; }\n", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("if a; then b; elif c; then d; else e; fi\n", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("while a; do b; done; until c; do d; done\n", [["a"], ["b"], ["c"], ["d"]]),
        (
            "prog $(inner --x) `other` <(third)\n",
            [["inner", "--x"], ["other"], ["third"], ["prog", "$(inner --x)", "`other`", "<(third)"]],
        ),
        ("X=$(inner)\n[[ -n $(test-me) ]] && prog\n", [["inner"], ["test-me"], ["prog"]]),
        ("echo prog --a; printf x; : prog; cat <<E\nprog\nE\n", []),
        ("# prog --a\n", []),
        ('A=(--a 1 # one\n  --b)\nA+=(--c)\nprog "${A[@]}"\n', [["prog", "--a", "1", "--b", "--c"]]),
        ("declare -a A=(x y)\nprog ${A[*]} ${A[1]} $A\n", [["prog", "x", "y", "y", "x"]]),
        ("X='--a 1'\nX+=' --b'\nprog $X\n", [["prog", "--a", "1", "--b"]]),
        ("X='--a 1'\nprog \"$X\"\n", [["prog", "--a 1"]]),
        ('D=/opt/x-b100\n$D/bin/prog -m "$D/m"\n', [["/opt/x-b100/bin/prog", "-m", "/opt/x-b100/m"]]),
        ('X=\nprog $X "$X"\n', [["prog", ""]]),
        ('set -- --a 1\nexec prog "$@"\n', [["prog", "--a", "1"]]),
        ('set -- --a 1\nset -- "$@" --b\nshift\nprog "$@"\n', [["prog", "1", "--b"]]),
        ('A=()\nprog ${A[@]+"${A[@]}"}\n', [["prog"]]),
        ("f() { prog --n $N; }\nN=3\nf\n", [["prog", "--n", "3"]]),
        ("f() { prog --n $N; }\nN=3\nf\nf\nN=4\nf\n", [["prog", "--n", "3"], ["prog", "--n", "4"]]),
        ("eval \"prog '--a b'\"\n", [["prog", "--a b"]]),
        ('CMD=\'prog --a 1\'\neval "$CMD"\nbash -c "$CMD"\n', [["prog", "--a", "1"]] * 2),
        ('ssh h prog --j \'{"a":1,"b":2}\'\n', [["prog", "--j", "a:1", "b:2"]]),
        ('ssh h "prog --j \'{\\"a\\":1}\'"\n', [["prog", "--j", '{"a":1}']]),
        ("tmux send-keys -t x 'prog --a' C-m\n", [["prog", "--a"]]),
        ("su - me -c 'prog --a'\n", [["prog", "--a"]]),
        ("sbatch -N 1 --wrap 'prog --a'\nsbatch --wrap=\"prog --b\"\n", [["prog", "--a"], ["prog", "--b"]]),
        ("uvx prog@1.2.3 --a\npipx run prog==1.2.3 --a\nuvx prog@latest --a\n", [["prog", "--a"]] * 3),
        ("torchrun --nproc-per-node 1 -m a.b --c\n", [["python", "-m", "a.b", "--c"]]),
        ("accelerate launch -m a.b --c\n", [["python", "-m", "a.b", "--c"]]),
        ("bash <<'E'\nprog $X\nE\n", [["bash"], ["prog", "$X"]]),
        ("X=1\nssh h bash -s <<E\nprog $X \\$Y\nE\n", [["bash", "-s"], ["prog", "1", "$Y"]]),
        ("cat > run.sh <<'E'\nprog $X\nE\n", [["prog", "$X"]]),
        ("cat <<-E | sudo tee /bin/x\n\t#!/bin/bash\n\tprog\n\tE\n", [["prog"]]),
        ("X=1 Y=2\n$P/prog --a\n", [["$P/prog", "--a"]]),
        ('set -euo pipefail\nprog "$@"\n', [["prog"]]),
        ('prog --j "$(cat <<\'END\'\n{"a": 1}\nEND\n)" --b\n', [["prog", "--j", '{"a": 1}', "--b"]]),
        ("prog $'\\\\'';'\n", [["prog", "\\;"]]),
        ("echo 'unterminated\nprog\n", []),
    ],
)
def test_words(script: str, words: list[list[str]]) -> None:
    assert argvs(script) == words
    assert argvs(script.replace("\n", "\r\n")) == words


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("prog ${N:-3}\n", Default("3", "N")),
        ("N=${N:-3}\nprog $N\n", Default("3", "N")),
        (': "${N:=3}"\nprog "$N"\n', Default("3", "N")),
        ("N=4\nprog ${N:-3}\n", Known("4")),
        ('[ -z "$N" ] && N=3\nprog $N\n', Default("3", "N")),
        ('if [ -z "$N" ]; then N=3; fi\nprog $N\n', Default("3", "N")),
        ("N=3\nwhile true; do N=$2; done\nprog $N\n", Default("3", "N")),
        ("if a; then N=3; else N=4; fi\nprog $N\n", OneOf(("3", "4"))),
        ("N=3\nif a; then N=4; fi\nprog x$N\n", OneOf(("x4", "x3"))),
        ("[ a ] && N=3 || N=4\nprog $N\n", OneOf(("3", "4"))),
        ("case $1 in a) N=3;; b) N=4;; esac\nprog $N\n", OneOf(("3", "4"))),
        ("for n in 2 3; do prog $n; done\n", OneOf(("2", "3"))),
        ("for n in $(seq 3); do prog $n; done\n", Opaque("$n")),
        ("read N\nprog $N\n", Opaque("$N")),
        ("prog $1\n", Opaque("$1")),
        ("prog ${1:-3}\n", Default("3", "1")),
        ('prog "$N"\n', Opaque("$N")),
        ("prog a$(x)b\n", Opaque("$(x)")),
        ("prog ${X%.*}\n", Opaque("${X%.*}")),
        ("prog {1..3}\n", Opaque("brace expansion")),
        ("N=3\nif a; then N=4; exit 1; fi\nprog $N\n", Known("3")),
        ("cd x && N=3\nprog $N\n", Known("3")),
    ],
)
def test_values(script: str, value: object) -> None:
    launch = next(launch for launch in read(script) if launch.argv[0].text == "prog")
    if isinstance(value, OneOf) and len(launch.argv) > 2:
        # each alternative is a word of its own, under the arm that it stands in, so that it can be located and edited
        assert tuple(word.text for word in launch.argv[1:]) == value.texts
        assert len({word.guard for word in launch.argv[1:]}) == len(value.texts)
        assert {len(arms) for arms in launch.exhaustive.values()} == {len(value.texts)}
    else:
        assert launch.argv[1].value == value


@pytest.mark.parametrize(
    ("words", "closed", "why"),
    [
        ('a "$@"', False, '"$@"'),
        ("a ${@:2}", False, "${@:2}"),
        ('a "${EXTRA[@]}"', False, '"${EXTRA[@]}"'),
        ('a "$EXTRA"', True, ""),
        ("a --x=$EXTRA", True, ""),
        ("a ${X:-3}", True, ""),
        ("a ${X:---b 3}", False, "${X:---b 3}"),
        ("a ${X:-}", False, "${X:-}"),
    ],
)
def test_what_leaves_a_launch_open(words: str, closed: bool, why: str) -> None:
    launch = only(f"prog {words}\n")
    assert (launch.closed, launch.why_open) == (closed, why)


def test_a_lone_variable_may_be_many_words() -> None:
    """Whether that opens the launch depends on the option before it, which the engine knows."""
    _, launch = read('prog --port $PORT $EXTRA "$ONE" --threads $(nproc)\n')
    assert [word.text for word in launch.argv if word.many] == ["$PORT", "$EXTRA", "$(nproc)"]
    assert launch.closed


def test_words_before_the_program_leave_it_closed() -> None:
    assert only('docker run "${OPTIONS[@]}" img:1 prog --a\n').closed
    assert only('"${PREFIX[@]}" prog --a\n').closed
    assert not only('docker run img:1 prog "${OPTIONS[@]}"\n').closed


def test_arms_of_a_branch_exclude_each_other() -> None:
    script = (
        "A=(--port 1)\n"
        "if x; then A+=(--a 1); elif y; then A+=(--a 2); fi\n"
        'E=""\n'
        'case $m in p) E="--e 1 --f";; *) E="--e 2";; esac\n'
        'prog "${A[@]}" $E\n'
    )
    launch = read(script)[-1]
    assert argv(launch) == ["prog", "--port", "1", "--a", "1", "--a", "2", "--e", "1", "--f", "--e", "2"]
    guards = [word.guard for word in launch.argv]
    assert not any(guards[:3])
    assert exclude(guards[4], guards[6])
    assert exclude(guards[8], guards[11])
    assert not exclude(guards[4], guards[8])


def test_words_that_all_arms_share_are_not_guarded() -> None:
    launch = only("X='--a'\n[ $Y ] && X+=' --b 1'\nprog $X\n")
    assert [(word.text, bool(word.guard)) for word in launch.argv[1:]] == [("--a", False), ("--b", True), ("1", True)]


def test_a_value_is_split_around_what_is_unknown_in_it() -> None:
    launch = only('X="--a $Y/z --b 1"\nprog $X\n')
    assert [word.value for word in launch.argv[1:]] == [Known("--a"), Opaque("$Y"), Known("--b"), Known("1")]


def test_unknown_words_have_a_place() -> None:
    launch = only('while read -r line; do prog "$line"; done\n')
    assert launch.argv[1].value == Opaque("$line")
    assert launch.argv[1].fragment.locate_all()


def test_a_conditional_append_is_guarded() -> None:
    launch = only('A=(--a)\n[[ -n $X ]] && A+=(--b)\nprog "${A[@]}"\n')
    assert [bool(word.guard) for word in launch.argv] == [False, False, True]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("A=1 B='x y' prog\n", {"A": "1", "B": "x y"}),
        ("env A=1 prog\n", {"A": "1"}),
        ("export A=1\nB=2\nprog\n", {"A": "1"}),
        ("A=1\nexport A\nprog\n", {"A": "1"}),
        ("export A=1\nA=2\nprog\n", {"A": "2"}),
        ("set -a\nA=1\nset +a\nB=2\nprog\n", {"A": "1"}),
        ("export A=1\nunset A\nprog\n", {}),
        ("(export A=1)\nprog\n", {}),
        ("export A=1\nbash -c 'B=2 prog'\n", {"A": "1", "B": "2"}),
        ("export A=1\nsudo B=2 prog\n", {"B": "2"}),
        ("export A=1\nsudo -E B=2 prog\n", {"A": "1", "B": "2"}),
        ("export A=1 B=2\nenv -u A prog\n", {"B": "2"}),
        ("export A=1\nenv -i B=2 prog\n", {"B": "2"}),
        ("docker run -e A=1 --env B=2 --env=C=3 img:1 prog\n", {"A": "1", "B": "2", "C": "3"}),
        ("export A=1\ndocker run -e A img:1 prog\n", {"A": "1"}),
        ("export A=1\ndocker run img:1 prog\n", {}),
    ],
)
def test_environment(script: str, expected: dict[str, str]) -> None:
    assert env(only(script)) == expected


@pytest.mark.parametrize(
    ("script", "image", "entrypoint", "words"),
    [
        ("docker run --rm --gpus all -v a:b -p 1:1 --name x img:1 --a 1\n", "img:1", "", ["--a", "1"]),
        ("docker run -itd -p1:1 --ipc=host img:1 python3 -m x\n", "img:1", "", ["python3", "-m", "x"]),
        ("sudo podman run $OPTS org/img:1 --a\n", "org/img:1", "", ["--a"]),
        ("docker run $DOCKER_ARGS $IMAGE --a\n", "$IMAGE", "", ["--a"]),
        ("docker run --entrypoint python3 img:1 -m x\n", "img:1", "python3", ["-m", "x"]),
        ("docker run --entrypoint /bin/bash img:1 -c 'prog --a'\n", "img:1", "/bin/bash", ["prog", "--a"]),
        ('docker run img:1 bash -lc "cd x && prog --a"\n', "img:1", "", ["prog", "--a"]),
        ("docker container run img:1\n", "img:1", "", []),
        ("IMG=img:1\nnerdctl run -d $IMG prog\n", "img:1", "", ["prog"]),
    ],
)
def test_containers(script: str, image: str, entrypoint: str, words: list[str]) -> None:
    launch = only(script)
    assert launch.image is not None
    assert launch.image.text == image
    assert (launch.entrypoint.text if launch.entrypoint else "") == entrypoint
    assert argv(launch) == words
    assert launch.carrier == "docker run line"


def test_places_count_code_points() -> None:
    script = "# é😀\nX='😀é'; A=1 exec \\\n  prog 'é' --a \"$X\"\n"
    launch = only(script)
    source = launch.fragment.source
    (program,) = launch.argv[0].fragment.locate_all()
    assert source.position(program.start) == (3, 3)
    assert launch.fragment.text == "prog 'é' --a \"$X\""
    assert [script[slice(*word.site)] for word in launch.argv if word.site] == ["prog", "'é'", "--a", '"$X"']
    assert [script[slice(*word.fragment.locate_all()[0])] for word in launch.argv] == ["prog", "é", "--a", "😀é"]


def test_hints_stand_nearest_last() -> None:
    script = "# far\npip install -q 'x==1.0' y\n# near\nprog --a  # same line\n# below\n\n# other\nlater\n"
    install, launch, later = read(script)
    assert [(hint.kind, hint.fragment.text) for hint in launch.hints] == [
        ("comment", "# far"),
        ("pin", "x==1.0"),
        ("comment", "# near"),
        ("comment", "# below"),
        ("comment", "# same line"),
    ]
    assert later.hints[-1].fragment.text == "# other"
    assert install.argv[0].text == "pip"


def test_other_texts_are_handed_on() -> None:
    seen: list[tuple[str, str]] = []

    class Other:
        name = "anything else"

        def claims(self, name: str, head: str) -> bool:
            return not name.endswith(".sh")

        def read(self, fragment: Fragment, opener: Opener, around: Surroundings) -> Iterator[Launch]:
            seen.append((opener_names.pop(0), fragment.text))
            return iter(())

    opener_names = ["x.service", "stdin.py"]
    script = "N=3\ncat > /etc/x.service <<END\nExecStart=/bin/prog $N \\$M $O\nEND\npython3 - <<'E'\nimport x\nE\n"
    carrier = ShellCarrier()
    opener = Opener([carrier, Other()], NO_FILES)
    launches = carrier.read(Fragment.of(Source("a.sh", script)), opener, NOTHING)
    assert [argv(launch) for launch in launches] == [["python3", "-"]]
    assert seen == [("x.service", "ExecStart=/bin/prog 3 $M $O\n"), ("stdin.py", "import x\n")]


def test_zsh_does_not_split() -> None:
    assert [argv(launch) for launch in read("X='a b'\nprog $X\n", "run.zsh")] == [["prog", "a b"]]


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("run.sh", "", True),
        ("a/.envrc", "", True),
        ("start", "#!/usr/bin/env bash\n", True),
        ("start", "#!/bin/sh -e\n", True),
        ("start", "#!/usr/bin/env python3\n", False),
        ("notes.md", "export A=1\n", False),
        ("-", "export A=1\n", True),
    ],
)
def test_claims(name: str, head: str, claimed: bool) -> None:
    assert ShellCarrier().claims(name, head) is claimed


def test_a_written_command_is_read_back() -> None:
    words = [
        "prog",
        "serve",
        "some/model",
        "--json",
        '{"a": 1}',
        "--flag",
        "--name",
        "it's",
        "--temp",
        "-1",
        "--empty",
        "",
    ]
    words += ["--long", "x" * 60, "--other", "y" * 60]
    text = write(words, {"A": "1", "B": "x y"})
    assert max(map(len, text.splitlines())) <= 100
    launch = only(text + "\n")
    assert argv(launch) == words
    assert env(launch) == {"A": "1", "B": "x y"}
    assert write(["prog", "--a", "1"], {}) == "prog --a 1"


def test_a_function_is_read_with_its_arguments() -> None:
    script = 'start() { prog --n "${1:-3}" "${@:2}"; }\nstart 5 --x 1\nstart\n'
    first, second = read(script)
    assert [word.text for word in first.argv][:3] == ["prog", "--n", "5"]
    assert [word.text for word in second.argv][:3] == ["prog", "--n", "3"]
    assert not first.closed  # a part of the arguments is not followed
    (wrapper,) = read('wrap() { prog "$@"; }\nwrap --x 1\n')
    assert [word.text for word in wrapper.argv] == ["prog", "--x", "1"] and wrapper.closed
