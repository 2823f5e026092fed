import { liveBy } from '../deeds/deeds.ts'
import { behind, readPrepared } from '../../../words/options.ts'
import { startsAll, ownOptions, type Judge } from '../looks/look.ts'
import type { Family } from '../program.ts'
import type { Starts } from '../starts.ts'
import { withoutDashes, splitWords, assignmentsBefore } from '../words.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import { optionsOf, type Row, type Line } from '../row.ts'
import { folderFrom } from '../unwrap.ts'

const loader: Row = {
  options: 'library-path inhibit-rpath audit preload argv0',
  starts: {},
  idle: 'list verify',
}

const onlyTimes: Judge = (look) =>
  startsAll(look) && !ownOptions(look, 'f o').given.some(({ name }) => /^(?:o|ou.*|a|ap.*)$/.test(name))

/** Judges `rtk`, which shortens the output of a program whose name is its first word, or follows `proxy`. */
const shortens: Judge = ({ args }, { isHarmlessText }) => {
  const words = args.map(({ value }) => value)
  const own = words[0] === 'proxy' ? words.slice(1) : words
  if (words.length === 1 && /^(?:gain|discover|--help|--version)$/.test(words[0] ?? '')) return true
  return (
    /^(?:ls|tree|find|grep|git|gh|docker|kubectl|cat|wc|head|tail|pwd)$/.test(own[0] ?? '') &&
    own.every((word) => /^[\w./-]+$/.test(word)) &&
    isHarmlessText(own.join(' '))
  )
}

const taskSpooler: Row = { options: 'L N D W E S e o i k p r s t u w c', starts: {}, idle: 'h V l C K' }

/** Programs that run a command with another priority, limit, timing or output. */
export const launchers: Family = {
  programs: {
    'unbuffer linux32 linux64': { starts: {}, looks: startsAll },
    'torify tsocks i386 catchsegv catatonit chronic ifne lima': { starts: {} },
    nohup: { starts: {}, noHelp: true },
    time: { options: 'f o=write format output=write', starts: {}, idle: 'V', looks: onlyTimes, noHelp: true },
    timeout: {
      options: 'k s kill-after signal +preserve-status +foreground +verbose',
      starts: { own: 1 },
      looks: startsAll,
      noHelp: true,
      limits: true,
    },
    nice: { options: 'n adjustment', starts: {}, looks: startsAll, noHelp: true },
    ionice: {
      options: 'c n class classdata p pid P pgid u uid',
      starts: {},
      idle: 'p pid P u h',
      looks: startsAll,
      hindersProcesses: true,
      chooses: { operands: 'id', options: { id: 'p pid', owner: 'P pgid u uid' } },
    },
    chrt: {
      options: 'T P D sched-runtime sched-period sched-deadline',
      starts: { own: 1 },
      idle: 'p pid m max h',
      looks: startsAll,
      hindersProcesses: true,
    },
    taskset: { starts: { own: 1 }, idle: 'p pid h V', looks: startsAll, hindersProcesses: true },
    numactl: {
      options:
        'i N C m p P S f o L M interleave weighted-interleave preferred preferred-many membind cpunodebind physcpubind shm file offset length shmmode',
      starts: {},
      idle: 'H hardware s show h',
      looks: '-H|--hardware|-s|--show ..0',
      prints: true,
    },
    stdbuf: { options: 'i o e input output error', starts: {}, looks: startsAll },
    setsid: { starts: {}, idle: 'h V', looks: startsAll },
    caffeinate: { options: 't w', starts: {}, looks: [{ options: 't w', lines: '[-d|-i|-m|-s|-u] ..0' }, startsAll] },
    'ltrace dtruss': {
      options: 'a A D e F l n o=write p s t u w x output=write library indent',
      starts: {},
      idle: 'p h V',
      hindersProcesses: true,
    },
    strace: {
      options:
        'a b e E I o=write O p P s S u U X output=write trace attach env user string-limit trace-path signal status inject fault abbrev verbose raw read write kvm columns interruptible summary-sort-by const-print-style detach-on +summary',
      starts: {},
      idle: 'p attach h V',
      hindersProcesses: true,
    },
    valgrind: { starts: {}, idle: 'h' },
    heaptrack: { options: 'o p output pid', starts: {}, idle: 'p a analyze' },
    rlwrap: { options: 'a A b C D f F g H k l M O p P q s S t w z file', starts: {}, idle: 'h v' },
    faketime: { options: 'p date-prog', starts: { own: 1 } },
    'datefudge setlock': { starts: { own: 1 } },
    'fakeroot fakechroot': {
      options: 'l s i b e c d lib faked environment config-dir elfloader bindir',
      starts: {},
      idle: 'h v',
    },
    'dbus-run-session dbus-launch': { options: 'config-file dbus-daemon autolaunch', starts: {} },
    'xvfb-run': {
      options: 'e f n p s w error-file auth-file server-num xauth-protocol server-args wait',
      starts: {},
      idle: 'h',
    },
    torsocks: { options: 'a address P port u user p pass', starts: {}, idle: 'h' },
    'proxychains proxychains4': { options: 'f', starts: {} },
    setarch: {
      options: 'p pid',
      operandsLast: true,
      idle: 'p pid list h V',
      operands: 'none', // The architecture is optional, and options may follow it.
      starts(line, starts) {
        if (line.has('help', 'version', 'h', 'V', 'list', 'p', 'pid')) return
        const words = line.operands.slice(architecture.test(line.operands[0]?.value ?? '') ? 1 : 0)
        const from = words.findIndex(({ value }) => value === '--' || !value.startsWith('-'))
        starts.wrapper()
        if (from !== -1) starts.words(withoutDashes(words.slice(from)))
      },
      looks: startsAll,
    },
    // `arch -x86_64 COMMAND…` of macOS; on Linux it has no operands.
    arch: {
      options: 'arch e d',
      oneDash: true,
      ignoresStdin: true,
      starts: {},
      looks: ['..0', startsAll],
      prints: true,
    },
    prlimit: { options: 'p pid o output', starts: {}, idle: 'p pid h V', hindersProcesses: true },
    cpulimit: {
      options: 'l p e limit pid exe',
      starts: {},
      idle: 'p pid h',
      hindersProcesses: true,
      chooses: { options: { id: 'p pid', name: 'e exe', file: 'P path' } },
    },
    'systemd-inhibit': { options: 'what who why mode', starts: {}, idle: 'list h' },
    'systemd-cat': {
      options: 't identifier p priority stderr-priority level-prefix namespace',
      starts: {},
      idle: 'h',
    },
    cgexec: { options: 'g b', starts: {} },
    softlimit: { options: 'a c d f l m n o p r s t', starts: {} },
    xcrun: {
      locates: (words) => /(?:^| )(?:-f|--find) ([\w.+-]+)$/.exec(words)?.[1],
      options: 'sdk toolchain',
      starts: {},
      idle: 'f find show-sdk-path show-sdk-version show-sdk-build-version show-sdk-platform-path show-sdk-platform-version show-toolchain-path h k kill-cache',
      looks: {
        oneDash: true,
        lines: `
      --find|-f|--show-sdk-path|--show-sdk-version|--show-sdk-platform-path|--version [--sdk=]
      simctl list`,
      },
      does: liveBy(/^altool .*--upload-(?:app|package)\b/),
    },
    'dumb-init': { options: 'r rewrite', starts: {} },
    tini: { options: 'p e', starts: {}, idle: 'h l' },
    retry: { options: 't m d times min max delay until while message', starts: {} },
    trickle: { options: 'u d w t l n L P', starts: {} },
    bear: { options: 'output config', starts: {} },
    choom: { options: 'n adjust p pid', starts: {}, idle: 'p pid h V', hindersProcesses: true },
    rr: { options: 'o n', starts: { own: 1 } },
    perf: {
      subcommands: {
        'stat, record, trace, mem, c2c, kvm': {
          options:
            'e event p pid t tid o=write output=write F freq C cpu r repeat c count m mmap-pages I interval-print D delay G',
          starts: { doesMore: true },
        },
      },
      hindersProcesses: true,
    },
    'dtach abduco': { options: 'e r +E +z', first: 'bind', starts: { own: 1 } },
    'ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1': loader,
    tsp: { ...taskSpooler, repeats: true },
    // That of moreutils puts the time in front of each line, in a format.
    ts: {
      ...taskSpooler,
      repeats: true,
      operandsLast: true,
      operands: 'none',
      starts({ operands, has }, starts) {
        const isFormat = operands.length === 0 || operands[0]?.value.includes('%') === true
        if (isFormat || has('h', 'V', 'l', 'C', 'K')) return
        starts.wrapper()
        starts.words(operands)
      },
    },
    nq: { repeats: true, starts: {}, idle: 't w h' },
    pueue: {
      repeats: true,
      options: 'c=read config=read p profile color',
      wholeNames: true,
      subcommands: {
        add: {
          options:
            'w=folder working-directory=folder d delay g group a after o priority l label +escape +immediate +stashed +print-task-id +follow',
          wholeNames: true,
          starts: { joined: 'e escape' },
        },
        // It types a text into a command that runs, which may be a shell.
        send: {
          starts({ operands: [, text] }, starts) {
            if (text !== undefined) starts.script(text, { guessed: true })
          },
        },
      },
      looks: 'status|log|follow|wait',
    },
    'daemonize detach': { options: 'a c e i o p l u E', starts: {} },

    'busybox toybox coreutils uutils sbase-box ubase-box 9base': {
      options: 'coreutils-prog! coreutils-prog-shebang!',
      operandsLast: true,
      starts({ value, operands }, starts) {
        const named = value('coreutils-prog')
        // The script comes before the arguments, as a system hands them over for `#!`.
        const scripted = value('coreutils-prog-shebang')
        const words = scripted === undefined ? operands : [scripted, ...operands.slice(1)]
        starts.wrapper()
        if (named !== undefined || words.length > 0) starts.words(named === undefined ? words : [named, ...words])
      },
    },

    watch: {
      repeats: true,
      options:
        'n interval q equexit s shotsdir +beep +color +differences +errexit +chgexit +exec +no-title +no-rerun +no-wrap +precise +no-linewrap',
      starts: { joined: 'x exec' },
      idle: 'h v',
    },
    // `flock FILE COMMAND…`, `flock FILE -c SCRIPT`, `flock 9`.
    flock: {
      options: 'w wait timeout E conflict-exit-code c command',
      operandsLast: true,
      operands: 'none',
      starts(line, starts) {
        const [, second, third] = line.operands
        starts.wrapper()
        const isScript = second?.value === '-c' || second?.value === '--command'
        const text = line.value('c', 'command') ?? (isScript ? third : undefined)
        if (text !== undefined) starts.script(text)
        else if (second !== undefined) starts.words(withoutDashes(line.operands.slice(1)))
      },
    },
    hyperfine: {
      options:
        'w warmup m min-runs M max-runs r runs s=script setup=script p=script prepare=script C=script conclude=script c=script cleanup=script P parameter-scan D parameter-step-size L parameter-list S shell style u time-unit export-asciidoc export-csv export-json export-markdown export-orgmode output input n command-name reference-name reference=script',
      operands: 'none',
      starts: eachOperand,
    },
    'concurrently start-server-and-test': {
      options: 'n names c prefix-colors p prefix l prefix-length t timestamp-format m max-processes s success expect',
      operands: 'none',
      starts: eachOperand,
    },
    'cross-env': { starts: { assignments: true } },
    'cross-env-shell': { starts: { assignments: true, joined: true } },
    // `entr` reads file names on stdin, and its operands are a command, with `/_` for the changed file.
    entr: {
      repeats: true,
      operandsLast: true,
      operands: 'none',
      starts({ operands, has }, starts) {
        const [first] = operands
        if (first === undefined) return
        starts.wrapper()
        if (has('s')) starts.script(first)
        else starts.words(operands, { stdin: 'none' })
      },
    },
    nodemon: {
      options: 'w=names watch=names e ext i ignore d delay s signal config cwd x=script exec=script',
      starts: {},
    },
    watchexec: {
      options: 'w=names watch=names e exts f filter i ignore d debounce s signal shell o on-busy-update E env workdir',
      wholeNames: true,
      starts: { joined: 'n' },
    },
    reflex: { options: 'r regex g glob R inverse-regex G inverse-glob d decoration', starts: {} },
    chokidar: { options: 'd debounce t throttle i ignore c=script command=script', starts: {} },
    // An agent without hooks, whose messages may be commands: `/run SCRIPT`, `!SCRIPT`.
    aider: {
      options:
        'm msg message f=read message-file=read model c=read config=read file=edit read=read lint-cmd=script test-cmd=script',
      wholeNames: true,
      starts(line, starts) {
        for (const word of line.values('m', 'msg', 'message')) {
          const at = /^\s*(?:!|\/(?:run|test)\s)/.exec(word.value)?.[0].length
          if (at !== undefined) starts.script(behind(word, at))
        }
      },
    },
    'start-stop-daemon': {
      options:
        'a startas x exec p pidfile n name u user c chuid g group k umask d chdir r chroot s signal R retry N nicelevel +start +stop +status',
      operands: 'none',
      starts(line, starts) {
        const program = line.value('a', 'startas', 'x', 'exec')
        if (!line.has('S', 'start') || program === undefined) return
        starts.wrapper()
        starts.words([program, ...line.operands])
      },
    },
    rtk: { looks: shortens },
  },
}

const architecture =
  /^(?:x86_64|i[3-6]86|linux(?:32|64)|aarch64|armv\w+|ppc\w*|s390x?|mips\w*|sparc\w*|athlon|uname26)$/

/** Starts each operand as a script of its own. */
function eachOperand(line: Line, starts: Starts): void {
  starts.wrapper()
  if (!line.has('help', 'h', 'version', 'V', 'v')) for (const text of line.operands) starts.script(text)
}

const env: Row = {
  options:
    'u C S a P L U unset chdir split-string argv0 +ignore-environment +null +block-signal +default-signal +ignore-signal +list-signal-handling +debug +help +version',
  operandsLast: true,
  operands: 'none',
  // Of a program that it starts, that puts it out.
  output: ({ operands }) => (operands.every(({ value }) => value.includes('=')) ? 'variables' : undefined),
  starts: (_, starts, command) => startWithEnvironment(starts, command),
}
const envOptions = optionsOf(env)

/** True for an `env` that starts nothing. */
const envPrintsAll = ({ args, assignments, wrapper }: ShellCommand): boolean =>
  wrapper !== true &&
  assignments.length === 0 &&
  args.every(
    ({ value }, at) =>
      /^(?:-0|--null|-u.*|--unset.*|-v|--debug)$/.test(value) || args[at - 1]?.value === '-u' || /^\w+=/.test(value),
  )

/** Programs that run a command with a changed environment. */
export const environments: Family = {
  programs: {
    env: {
      givesVariables: true,
      printsVariables: envPrintsAll,
      ...env,
      looks: (look) => startsAll(look) && look.command?.wrapper === true,
      noHelp: true,
      saysWhatChanges: true,
    },
    dotenv: { loadsVariables: true, options: 'f=read file=read e c v p', starts: {}, idle: 'p' },
    'env-cmd': { options: 'f=read file=read r rc-file e environments x', starts: {} },
    envchain: { starts: { own: 1 } },
  },
}

/** A function that bash takes from its environment, under the name of any command: `BASH_FUNC_ls%%=() { …; }`. */
const exportedFunction = /^BASH_FUNC_[^=]*(?:%%|\(\))=\(\)\s*\{([\s\S]*)\}\s*$/

function startWithEnvironment(starts: Starts, { args, cwd }: ShellCommand): void {
  const read = readPrepared(splitStrings(args, starts), envOptions)
  if (read.has('help', 'version')) return starts.wrapper()
  const emptied = read.operands[0]?.value === '-'
  const bodies = read.operands.map(({ value }) => exportedFunction.exec(value)?.[1])
  const operands = read.operands.filter((_, at) => bodies[at] === undefined)
  const { assignments, rest } = assignmentsBefore(emptied ? operands.slice(1) : operands)
  const words = withoutDashes(rest)
  if (words.length === 0) return
  for (const body of bodies) if (body !== undefined) starts.script({ value: body })
  const folder = read.value('C', 'chdir')
  // With `PATH` unset, programs are still found, by the system's default path.
  const unset = read.values('u', 'unset').filter((name) => name.value !== 'PATH')
  const gone = unset.map((name) => ({ name: name.value, value: { value: '' } }))
  starts.wrapper()
  starts.words(words, {
    ...((emptied || read.has('i', 'ignore-environment')) && { emptyEnvironment: true }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
    ...(assignments.length + gone.length > 0 && { assignments: [...gone, ...assignments] }),
  })
}

/** Replaces `-S 'a b'` with the words of its value, which may be options again. */
function splitStrings(args: readonly ShellWord[], { variable }: Pick<Starts, 'variable'>): readonly ShellWord[] {
  for (const [at, { value }] of args.entries()) {
    if (!value.startsWith('-') || value === '--' || value === '-') return args
    const long = /^--s[a-z-]*=/.exec(value)
    const short = /^-[iv0]*S/.exec(value)
    const apart = value === '--split-string' || (short !== null && short[0].length === value.length)
    if (long === null && short === null && !apart) {
      if (/^(?:-[iv0]*[uCPaLU]|--(?:unset|chdir|argv0))$/.test(value))
        return [...args.slice(0, at + 2), ...splitStrings(args.slice(at + 2), { variable })]
      continue
    }
    const text = apart ? args[at + 1] : { value: value.slice((long ?? short)?.[0].length) }
    const flags = short === null || short[0].length === 2 ? [] : [{ value: short[0].slice(0, -1) }]
    const split = splitWords(text?.value ?? '', { variable, comments: true })
    return [...args.slice(0, at), ...flags, ...split, ...args.slice(at + (apart ? 2 : 1))]
  }
  return args
}
