"""Commands that start another command: what they take for themselves, as data."""

from __future__ import annotations

from msgspec import Struct


class Prefix(Struct, frozen=True):
    """How a command leads to the command that it starts.

    valued      options that take a value
    operands    own words before the program: a duration, a host, a container
    scripts     options whose value is shell text
    environment options whose value is `NAME=value` for the program
    assigns     `NAME=value` words before the program are its environment
    subcommands what the first word must be; none: anything
    until       the program stands behind this word (`--`), and without it there is none
    remote      the words are joined and read by a shell again
    outside     the program does not see this script's environment
    clears      options with which it does not see it
    keeps       options with which it does see it, where `outside` says otherwise
    unsets      options whose value names a variable that it does not see
    groups      words that may stand before the subcommand
    packages    the program may be written as a package with its version: `NAME@VERSION`, `NAME==VERSION`
    modules     options that name a module of Python, which is started as `python -m` starts it
    """

    valued: frozenset[str] = frozenset()
    operands: int = 0
    scripts: frozenset[str] = frozenset()
    environment: frozenset[str] = frozenset()
    assigns: bool = False
    subcommands: frozenset[str] = frozenset()
    until: str = ""
    remote: bool = False
    outside: bool = False
    clears: frozenset[str] = frozenset()
    keeps: frozenset[str] = frozenset()
    unsets: frozenset[str] = frozenset()
    skips_unknown: bool = False
    groups: frozenset[str] = frozenset()
    packages: bool = False
    modules: frozenset[str] = frozenset()


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SSH = Prefix(
    _set("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B"), operands=1, remote=True, outside=True
)
_CONTAINER_EXEC = Prefix(
    _set("-u --user -w --workdir --detach-keys --env-file --preserve-fds --index"),
    operands=1,
    environment=_set("-e --env"),
    outside=True,
)
_POD = Prefix(until="--", outside=True)
_MPI = Prefix(
    _set(
        "-n -np -c -N -H -host --host -hostfile --hostfile -machinefile --machinefile -x -wdir --wdir"
        " -bind-to --bind-to -map-by --map-by -rank-by --rank-by -npernode --npernode -ppn -genv -env"
        " -output-filename --output-filename"
    )
)
_PROFILER = _set(
    "-t --trace -o --output -s --sample -c --capture-range -d --duration -y --delay -e --env-var -k"
    " --kernel-name --set --section --launch-skip --launch-count --target-processes --cuda-graph-trace"
    " --stats --export --replay-mode --gpu-metrics-device --gpu-metrics-devices --backtrace --kill"
    " --wait --session-new --metrics --nvtx-include -f --force-overwrite"
)

_SLURM = _set(
    "-N --nodes -n --ntasks -p --partition -c --cpus-per-task -G --gpus -t --time -w --nodelist -J"
    " --job-name -A --account -q --qos -C --constraint -D --chdir -x --exclude -o --output -e --error"
    " --gres --mem --ntasks-per-node --jobid --container-image --container-mounts --container-name"
    " --container-workdir --gpus-per-node --gpus-per-task --mpi"
)

PREFIXES: dict[str, Prefix] = {
    "exec": Prefix(_set("-a")),
    "nohup": Prefix(),
    "command": Prefix(),
    "builtin": Prefix(),
    "coproc": Prefix(),
    "!": Prefix(),
    "then": Prefix(),
    "do": Prefix(),
    "else": Prefix(),
    "time": Prefix(_set("-f -o --format --output")),
    "env": Prefix(
        _set("-u --unset -C --chdir"),
        scripts=_set("-S --split-string"),
        assigns=True,
        clears=_set("-i --ignore-environment -"),
        unsets=_set("-u --unset"),
    ),
    "sudo": Prefix(
        _set(
            "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T"
            " --command-timeout -U --other-user -D --chdir -R --chroot"
        ),
        assigns=True,
        outside=True,
        keeps=_set("-E --preserve-env"),
    ),
    "doas": Prefix(_set("-u -C"), outside=True),
    "nice": Prefix(_set("-n --adjustment")),
    "ionice": Prefix(_set("-c --class -n --classdata -p --pid")),
    "chrt": Prefix(_set("-T --sched-runtime -P --sched-period -D --sched-deadline"), operands=1),
    "timeout": Prefix(_set("-s --signal -k --kill-after"), operands=1),
    "numactl": Prefix(
        _set(
            "-C --physcpubind -N --cpunodebind --cpubind -m --membind -i --interleave -p --preferred -w"
            " --weighted-interleave -P --preferred-many"
        ),
        skips_unknown=True,
    ),
    "taskset": Prefix(operands=1, skips_unknown=True),
    "stdbuf": Prefix(_set("-i --input -o --output -e --error")),
    "setsid": Prefix(),
    "unbuffer": Prefix(),
    "catchsegv": Prefix(),
    "caffeinate": Prefix(_set("-t -w")),
    "flock": Prefix(_set("-w --timeout -E --conflict-exit-code"), operands=1, scripts=_set("-c --command")),
    "tini": Prefix(_set("-p -e")),
    "dumb-init": Prefix(_set("-r --rewrite")),
    "gosu": Prefix(operands=1),
    "su-exec": Prefix(operands=1),
    "chroot": Prefix(_set("--userspec --groups"), operands=1),
    "setpriv": Prefix(_set("--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits")),
    "gdb": Prefix(_set("-ex -x -iex -ix"), until="--args"),
    "strace": Prefix(_set("-e -o -s -p -E -u -a -P -O -S -I -X -b")),
    "ltrace": Prefix(_set("-e -o -s -p -u -a -n -x -A -D -F -l")),
    "perf": Prefix(
        _set(
            "-e --event -o --output -p --pid -t --tid -F --freq -C --cpu -c --count --call-graph -r --repeat -I -D -m"
        ),
        subcommands=_set("stat record trace"),
    ),
    "nsys": Prefix(_PROFILER, subcommands=_set("profile launch")),
    "ncu": Prefix(_PROFILER),
    "rocprofv3": Prefix(_set("-o -d -i --output-format"), until="--"),
    "mpirun": _MPI,
    "mpiexec": _MPI,
    "srun": Prefix(_SLURM),
    "sbatch": Prefix(_SLURM, scripts=_set("--wrap"), until="\0"),
    "systemd-run": Prefix(
        _set(
            "-u --unit -p --property --description --slice --uid --gid --nice --working-directory -M"
            " --machine -H --host --service-type --on-active --on-boot --on-startup --on-unit-active"
            " --on-calendar --timer-property --path-property --socket-property"
        ),
        environment=_set("-E --setenv"),
        outside=True,
    ),
    "systemd-inhibit": Prefix(_set("--what --who --why --mode")),
    "script": Prefix(_set("-o --output-limit -E --echo -m -I -O -B -T"), scripts=_set("-c --command"), until="\0"),
    "su": Prefix(_set("-g -G -s --shell -w"), scripts=_set("-c --command"), until="\0", outside=True),
    "runuser": Prefix(_set("-u --user -g -G -s --shell -w"), scripts=_set("-c --command"), until="--", outside=True),
    "tmux": Prefix(
        _set("-s -n -t -c -x -y -F -l -p -L -S -f"),
        environment=_set("-e"),
        subcommands=_set(
            "new new-session neww new-window splitw split-window respawnp respawn-pane respawnw"
            " respawn-window run run-shell send send-keys"
        ),
        remote=True,
    ),
    "screen": Prefix(_set("-S -c -T -t -s -p -h -Logfile")),
    "ssh": _SSH,
    "sshpass": Prefix(_set("-p -f -d -P")),
    "eval": Prefix(remote=True),
    "kubectl": Prefix(_POD.valued, until="--", subcommands=_set("exec"), outside=True),
    "oc": Prefix(_POD.valued, until="--", subcommands=_set("exec rsh"), outside=True),
    "docker": _CONTAINER_EXEC,
    "conda": Prefix(_set("-n --name -p --prefix --cwd"), subcommands=_set("run")),
    "mamba": Prefix(_set("-n --name -p --prefix --cwd"), subcommands=_set("run")),
    "micromamba": Prefix(_set("-n --name -p --prefix --cwd"), subcommands=_set("run")),
    "poetry": Prefix(subcommands=_set("run")),
    "pixi": Prefix(_set("-e --environment --manifest-path"), subcommands=_set("run")),
    "uv": Prefix(
        _set(
            "-p --python --with --with-requirements --with-editable --extra --group --env-file --directory"
            " --project --index --index-url --extra-index-url --prerelease --torch-backend --index-strategy -C"
            " --package --from"
        ),
        subcommands=_set("run"),
        groups=_set("tool"),
        packages=True,
    ),
    "uvx": Prefix(
        _set(
            "-p --python --with --from --index --index-url --extra-index-url --prerelease --torch-backend"
            " --index-strategy"
        ),
        packages=True,
    ),
    "pipx": Prefix(
        _set("--spec --python --pip-args --index-url -i --suffix --with --backend"),
        subcommands=_set("run"),
        packages=True,
    ),
    "torchrun": Prefix(
        _set(
            "--nnodes --nproc-per-node --nproc_per_node --rdzv-backend --rdzv_backend --rdzv-endpoint --rdzv_endpoint"
            " --rdzv-id --rdzv_id --rdzv-conf --rdzv_conf --max-restarts --max_restarts --monitor-interval"
            " --monitor_interval --start-method --start_method --role --log-dir --log_dir -r --redirects -t --tee"
            " --local-ranks-filter --local_ranks_filter --node-rank --node_rank --master-addr --master_addr"
            " --master-port --master_port --local-addr --local_addr"
        ),
        modules=_set("-m --module"),
    ),
    "accelerate": Prefix(
        _set(
            "--config_file --config-file --num_processes --num-processes --num_machines --num-machines"
            " --machine_rank --machine-rank --main_process_ip --main-process-ip --main_process_port"
            " --main-process-port --mixed_precision --mixed-precision --dynamo_backend --gpu_ids --gpu-ids"
            " --num_cpu_threads_per_process --rdzv_backend --same_network"
        ),
        subcommands=_set("launch"),
        modules=_set("-m --module"),
    ),
    "ray": Prefix(until="--", subcommands=_set("job"), outside=True),
}

SHELLS = _set("sh bash zsh ksh dash ash rbash mksh")
SHELL_VALUED = _set("-o +o -O +O --rcfile --init-file")
CONTAINER_ENGINES = _set("docker podman nerdctl finch docker-compose")
CONTAINER_GLOBALS = _set(
    "-H --host --context -c --config -l --log-level --url --connection --root --runroot --namespace"
    " -n --address -f --file -p --project-name"
)
RUN_VERBS = _set("run create")
RUN_FLAGS = _set(
    "-d --detach --disable-content-trust --help --init -i --interactive --no-healthcheck"
    " --oom-kill-disable --privileged -P --publish-all -q --quiet --read-only --rm --sig-proxy -t"
    " --tty --use-api-socket --env-host --http-proxy --no-hostname --no-hosts --passwd"
    " --read-only-tmpfs --replace --rmi --tls-verify --rootfs --unsetenv-all --no-deps --service-ports"
    " --build --no-TTY -T --use-aliases --remove-orphans"
)
APPTAINER_VALUED = _set(
    "-B --bind --mount --pwd --cwd -H --home -W --workdir -w --overlay -o --app --env-file --network"
    " --network-args -S --scratch --security --cdi-dirs --device --apply-cgroups --memory --cpus"
)
QUIET = _set(
    "echo printf : true false cd pushd popd source . test [ [[ shift alias unalias hash type which"
    " umask ulimit wait trap set shopt sleep read mapfile readarray getopts break continue return exit"
    " export declare typeset local readonly unset let bind enable help history jobs fg bg kill disown"
    " dirs times logout complete compgen compopt caller mkdir rm rmdir chmod chown ls pwd touch cat"
    " tee head tail grep egrep fgrep sed awk sort uniq wc cut tr basename dirname date"
)
