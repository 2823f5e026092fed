import { written, codeStage } from '../deeds/deeds.ts'
import { history } from './machine.ts'
import { isKnown, type Judge, readLook } from '../looks/look.ts'
import { isPlainVariable, declaresPlainly } from '../looks/plain-variables.ts'
import type { Family, KnownProgram } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Line, Row } from '../row.ts'
import { changed } from '../words.ts'

const printing: Row = {
  output: 'words',
  ignoresStdin: true,
  effects: ({ operands }, recorder) => printed(operands, recorder),
}

const logReader: Row = {
  options: 'F=read f=read file=read p=read load=read l level n lines t time-format',
  ignoresStdin: true,
}

/** What a command's own input is called. */
const ownInput = /^ (?:\/dev\/(?:stdin|fd\/0|tty)|\/proc\/self\/fd\/0)$/

const sourcing: Row = {
  output: 'kept',
  operandsLast: true,
  first: 'execute',
  ignoresStdin: true, // So does fish: `curl … | source`.
  effects({ operands: [file] }, recorder) {
    if (file === undefined || file.value === '-') recorder.readsStdin()
  },
  starts({ operands: [file] }, starts, { stdin }) {
    if (stdin !== undefined && (file === undefined || file.value === '-')) starts.script(stdin, { stdin: 'none' })
  },
}

/** Of a builtin that gives variables values, unless `-p` has it print them. */
const kept = ({ has }: Line) => (has('p') ? undefined : 'kept')

const condition: Row = {
  output: 'counts',
  ignoresStdin: true,
  startsNothing: true,
  effects(line, recorder) {
    // `[` has an expression, not getopt options, so every operand with a slash counts as a path.
    for (const word of line.operands) if (word.value.includes('/')) recorder.touch(word, 'names')
  },
}

const evaluating: Row = {
  effects({ operands }, recorder) {
    for (const word of operands) if (word.value === unknownPart) recorder.mayTouch(word, 'execute')
  },
}

/** Judges `date`: it prints a format; with any other operand it sets the clock. */
const onlyTellsTime: Judge = ({ args }) => {
  const { names, operands, unknown } = readLook(args, 'd f r I? date file reference v z')
  return (
    !unknown &&
    !names.some((name) => name === 's' || (name.length > 1 && 'set'.startsWith(name))) &&
    (names.includes('j') || operands.every(({ value }) => value.startsWith('+')))
  )
}

/** Judges `read` and the like, which must set only variables that change no program. `mapfile -C` runs a command. */
const readsInto: Judge = (look) => {
  const { names } = readLook(look.args, 'a d i n N p t u O s')
  return (
    isKnown(look) &&
    names.every((name) => /^[ersadinNptuO]$/.test(name)) &&
    look.args.every(({ value }) => !/^\w+$/.test(value) || isPlainVariable(value))
  )
}

/** Judges `ps`, which only looks unless it also lists the variables of processes. */
const showsNoVariables: Judge = ({ args }) =>
  args.every(({ value, unresolved }, at) => {
    const isValue = args[at - 1]?.value.startsWith('-') === true
    if (value.startsWith('-')) return value.startsWith('--') || !/^-\w*E/.test(value)
    return isValue || unresolved === true || !(/^[a-z]+$/i.test(value) && /e/i.test(value))
  })

const startsOrFinds: Judge = ({ program, args, starts = 0 }) =>
  starts > 0 || (program === 'command' && /^-p*[vV][vVp]*$/.test(args[0]?.value ?? ''))

const declaring: KnownProgram = {
  output: kept,
  operands: 'none',
  looks: ({ args }) => declaresPlainly(args),
  declares: true,
  changesShell: true,
  quiet: true,
}
const declaringPrints = ({ args, wrapper }: ShellCommand): boolean =>
  wrapper !== true && (args.length === 0 || (args.length === 1 && /^-[pxev]+$/.test(args[0]?.value ?? '')))
/** In fish, `set -x` lists the exported variables. */
const setPrintsVariables = ({ args, reach }: ShellCommand): boolean =>
  args.length === 0 ||
  (/^-[gU]*x[gUx]*$/.test(args.map(({ value }) => value).join('')) &&
    reach.some((one) => one.through === 'wrapper' && one.program === 'fish'))

const listsAll = (words: string): boolean =>
  !/(?:^| )(?:-?p\d*|-[CtqgGs]|--(?:pid|ppid|tty|quick-pid|group|sid)\S*)(?: |$)/.test(words)

const outcome: KnownProgram = {
  ignoresStdin: true,
  startsNothing: true,
  looks: true,
  prints: true,
  namesOnly: true,
  quiet: true,
}
const locator: KnownProgram = { operands: 'none', looks: true, prints: true, locatesPrograms: true, namesOnly: true }

/** Shell builtins, and programs that only print, wait or report. */
export const builtins: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    echo: {
      text: 'words',
      succeeds: true,
      ...printing,
      saysWhatChanges: true,
      startsNothing: true,
      looks: true,
      prints: true,
      namesOnly: true,
      noHelp: true,
    },
    print: { ...printing, text: 'printed' },
    printf: {
      text: 'format',
      succeeds: true,
      output: 'words',
      ignoresStdin: true,
      saysWhatChanges: true,
      startsNothing: true,
      effects: ({ operands }, recorder) => printed(operands.slice(1), recorder),
      looks: '!-v',
      prints: true,
      namesOnly: true,
      noHelp: true,
    },
    yes: {
      endless: true,
      ignoresStdin: true,
      effects({ operands }, recorder) {
        for (const word of operands) recorder.prints(word)
      },
      looks: true,
      prints: true,
    },
    expr: { ignoresStdin: true, startsNothing: true, looks: true, prints: true },
    pwd: { text: 'folder', ignoresStdin: true, startsNothing: true, looks: true, prints: true, saysWhatChanges: true },
    sleep: { ignoresStdin: true, startsNothing: true, looks: true, prints: true, quiet: true, saysWhatChanges: true },
    'true :': { ...outcome, succeeds: true, saysWhatChanges: true },
    false: { ...outcome, fails: true, saysWhatChanges: true },
    usleep: { ignoresStdin: true, startsNothing: true },
    exit: { startsNothing: true, looks: true, prints: true, noHelp: true, quiet: true, saysWhatChanges: true },
    // Programs that print words without a slash: as file names, they mean files of the current folder.
    dc: { ignoresStdin: true, bareNames: true, escapes: true },
    // The error shows the text that is no date.
    date: {
      options: 'd date s set f=read file=read r reference',
      ignoresStdin: true,
      bareNames: true,
      looks: onlyTellsTime,
      saysWhatChanges: true,
    },
    sysctl: {
      ...logReader,
      does: {
        area: 'machine',
        kind: 'change',
        object: 'settings of the kernel',
        names: 'none',
        work: ['-w|--write|-p|--load|--system', '*'],
        when: (_, line) =>
          line.has('w', 'write', 'p', 'load', 'system') || line.words.some(({ text }) => /^[\w.][\w./-]*=/.test(text)),
      },
      looks: `
    -a|-A|-X|--all !-w|--write|-p|--load|-f|--system ..0
    !-w|--write|-p|--load|-f|--system 1.. !=`,
    },
    dmesg: {
      ...logReader,
      looks: {
        valued: 's until since facility',
        lines: '!-C|-c|--clear|--read-clear|-D|--console-off|-E|--console-on|-n|--console-level',
      },
    },
    last: { ...logReader, looks: true, prints: true },
    seq: { text: 'numbers', counts: true, ignoresStdin: true, bareNames: true, looks: true, prints: true },
    'cal bc factor whoami logname id groups users who w uptime uname nproc tty': {
      ignoresStdin: true,
      bareNames: true,
      looks: true,
      prints: true,
    },
    hostname: { ignoresStdin: true, bareNames: true, looks: '!-F|-b ..0', prints: true },
    unset: {
      operands: 'none',
      does: { area: 'defences', ...history, never: [''], when: written(/(?:^| )HISTFILE(?: |$)/) },
      looks: (look) => isKnown(look) && look.args.every(({ value }) => value === '-v' || isPlainVariable(value)),
      changesShell: true,
      saysWhatChanges: true,
      quiet: true,
    },
    export: {
      printsVariables: declaringPrints,
      output: kept,
      operands: 'none',
      does: {
        area: 'defences',
        ...history,
        never: [''],
        when: written(/(?:^| )HIST(?:FILE=(?:\/dev\/null)?|(?:FILE)?SIZE=0)(?: |$)/),
      },
      looks: ({ args }) => declaresPlainly(args),
      declares: true,
      changesShell: true,
      saysWhatChanges: true,
      quiet: true,
    },
    'declare typeset': { ...declaring, printsVariables: declaringPrints, saysWhatChanges: true },
    'local readonly': { ...declaring, saysWhatChanges: true },
    'setenv setx': { setsByWords: true },
    set: {
      setsByWords: true,
      printsVariables: setPrintsVariables,
      output: ({ operands, has }) =>
        has('x', 'v') || operands.some(({ value }) => /^(?:xtrace|verbose)$/.test(value)) ? 'traces' : undefined,
      operands: 'none',
      looks: '-e|-u|-x|-v|-o|-E|-f|-C [] ..1',
      saysWhatChanges: true,
      prints: true,
      noHelp: true,
      quiet: true,
    },
    'ulimit times jobs help': {
      operands: 'none',
      looks: true,
      prints: true,
    },
    'shift return break continue wait': {
      operands: 'none',
      looks: true,
      saysWhatChanges: true,
      prints: true,
      quiet: true,
    },
    type: { ...locator, text: 'kind', saysWhatChanges: true },
    which: { ...locator, text: 'place', saysWhatChanges: true },
    alias: { operands: 'none', looks: '..0', prints: true, changesShell: true, quiet: true, saysWhatChanges: true },
    umask: { operands: 'none', looks: '[-S|-p] ..0', prints: true, quiet: true },
    hash: {
      operands: 'none',
      looks: '[-l|-t|-r] ..0',
      prints: true,
      changesShell: true,
      quiet: true,
      saysWhatChanges: true,
    },
    read: {
      output: 'kept',
      operands: 'none',
      looks: readsInto,
      changesShell: true,
      quiet: true,
      saysWhatChanges: true,
    },
    shopt: { operands: 'none', looks: '[-s|-u|-p|-q]', prints: true, changesShell: true, quiet: true },
    enable: { operands: 'none', looks: '[-a|-n|-p|-s] ..0', prints: true, changesShell: true, quiet: true },
    'fg bg whence where caller suspend': { operands: 'none' },
    fc: { operands: 'none', showsPast: true },
    'mcfly hstr get-history doskey': { operands: 'none', output: 'matches', showsPast: true },
    disown: { operands: 'none', quiet: true },
    logout: { operands: 'none', noHelp: true },
    'let unalias getopts': { operands: 'none', changesShell: true, quiet: true },
    info: { operands: 'none', looks: '!-o|--output|--dribble|--restore', prints: true },
    'whatis clear tput top htop free vmstat lscpu lsblk lsusb lsmod locale getconf ipcs netstat': {
      operands: 'none',
      looks: true,
      prints: true,
    },
    stty: { operands: 'none', looks: '[-a|-g] ..0; size', prints: true },
    ps: {
      listsProcesses: listsAll,
      // What else it prints is chosen from behind it.
      chooses: {
        options: { name: 'C' },
        valued: 'o format p q t g s u U G pid ppid quick-pid tty sid group user User Group O sort',
        all: (words) => listsAll(words) && /(?:^| )(?:-?\w*o ?|--format[ =])pid=?(?: |$)/.test(words),
      },
      operands: 'none',
      looks: showsNoVariables,
      // The options of BSD have no dash: `e` is the environment there.
      printsVariables: ({ args: [first] }) => /^[a-df-zA-Z]*e[a-zA-Z]*$/.test(first?.value ?? ''),
      saysWhatChanges: true,
    },
    iostat: { operands: 'none', looks: '!-o', prints: true },
    lspci: { operands: 'none', looks: '!-A|-O|-H', prints: true },
    printenv: {
      text: 'variables',
      printsVariables: ({ args }) => args.every(({ value }) => /^(?:-0|--null)$/.test(value)),
      output: 'variables',
      operands: 'none',
      looks: ({ args }) =>
        args.length > 0 &&
        args.every((word) => word.unresolved !== true && !/secret|token|key|pass|cred|auth/i.test(word.value)),
      saysWhatChanges: true,
    },
    ss: { operands: 'none', looks: '!-K|--kill|-D|--diag|-F|--filter', prints: true },
    arp: { operands: 'none', looks: '[-a|-n|-e|-v] ..1', prints: true },
    lastlog: { operands: 'none', looks: '!-C|--clear|-S|--set', prints: true },
    'tldr reset': { operands: 'none' },
    // A key's command is a shell's.
    bind: {
      options: 'm f=read q u r x',
      starts(line, starts) {
        for (const key of line.values('x'))
          starts.script(changed(key, key.value.replace(/^\s*(?:"[^"]*"|'[^']*')\s*:/, '')))
      },
      looks: '[-l|-p|-P|-v|-V|-s|-S|-X] ..0',
      prints: true,
    },
    // `complete` runs it where a person types.
    complete: { options: 'A G W F C=script P S X o', operands: 'none', looks: '[-p] ..0', prints: true },
    compgen: {
      options: 'A action G globpat W wordlist F function C=script P prefix S suffix X filterpat o option',
      starts(line, starts) {
        // A list of words is expanded, with the commands in it.
        for (const list of line.values('W', 'wordlist')) starts.script(changed(list, `: ${list.value}`))
      },
      effects(line, recorder) {
        for (const { value } of line.values('G', 'globpat')) recorder.prints({ value, pattern: value })
      },
      looks: '[-a|-b|-c|-d|-e|-f|-k|-u|-v|-A=]',
      saysWhatChanges: true,
      prints: true,
    },
    pushd: {
      changesFolder: true,
      operands: 'names',
      ignoresStdin: true,
      looks: true,
      prints: true,
      saysWhatChanges: true,
    },
    popd: { operands: 'names', ignoresStdin: true, looks: true, prints: true, saysWhatChanges: true },
    'cd chdir': {
      changesFolder: true,
      operands: 'names',
      ignoresStdin: true,
      looks: true,
      prints: true,
      quiet: true,
      saysWhatChanges: true,
    },
    'test [': {
      ...condition,
      looks: true,
      prints: true,
      namesOnly: true,
      noHelp: true,
      quiet: true,
      saysWhatChanges: true,
    },
    '[[': { ...condition, saysWhatChanges: true },
    source: {
      ...sourcing,
      sources: true,
      typed: ownInput,
      does: codeStage,
      changesShell: true,
      noHelp: true,
      saysWhatChanges: true,
      quiet: true,
    },
    '.': {
      ...sourcing,
      sources: true,
      typed: ownInput,
      changesShell: true,
      noHelp: true,
      quiet: true,
      saysWhatChanges: true,
    },
    trap: { ...evaluating, looks: '[-l|-p] ..0', prints: true, changesShell: true, noHelp: true, quiet: true },
    eval: { ...evaluating, changesShell: true, noHelp: true, quiet: true },
    builtin: { starts: {}, idle: 'v V', looks: startsOrFinds, quiet: true },
    command: {
      text: 'place',
      starts: {},
      idle: 'v V',
      looks: startsOrFinds,
      locatesPrograms: true,
      namesOnly: true,
      saysWhatChanges: true,
      quiet: true,
    },
    'noglob nocorrect': { starts: {}, idle: 'v V' },
    exec: {
      options: 'a',
      operandsLast: true,
      operands: 'none',
      starts(line, starts) {
        if (line.operands.length === 0) return
        starts.wrapper()
        starts.words(line.operands, line.has('c') ? { emptyEnvironment: true } : {})
      },
      changesShell: true,
      noHelp: true,
      quiet: true,
    },
    // `-C` evaluates its value, followed by the line read. With an invalid option, the builtin reads nothing.
    'mapfile readarray': {
      options: 'd n O s u C c',
      operands: 'none',
      starts(line, starts, { args, stdin }) {
        const isWrong = args.some(({ value }) => value.startsWith('--') && value !== '--')
        const script = isWrong || stdin?.value === '' ? undefined : line.value('C')
        if (script !== undefined) starts.script(script, { stdin: 'none' })
      },
      looks: readsInto,
      changesShell: true,
      saysWhatChanges: true,
      quiet: true,
    },
    man: {
      options:
        'P=script pager=script H=script html=script C M L m S s e E r p config-file manpath locale systems sections extension encoding prompt preprocessor recode',
      operands: 'none',
      variables: 'MANPAGER PAGER',
      looks: '!-P|--pager|-H|--html|-X|--gxditview|-C|--config-file|-l|--local-file',
      prints: true,
    },
    'sensible-pager': { variables: 'PAGER' },
    'cargo-watch': { options: 's=script shell=script x exec w watch i ignore C workdir d delay' },
  },
  examples: {
    'kill -9 4711': 'stops process `4711`',
    'kill -l': '',
    'kill %1': 'stops process `%1`',
    'history | grep token': 'shows what was typed that looks like a password',
    history: '',
  },
}

/** Records the words of `echo`, which may name files: `rm $(echo ~/*)`. */
function printed(words: readonly ShellWord[], recorder: EffectRecorder): void {
  for (const word of words) if (word.unresolved === true || word.pattern !== undefined) recorder.prints(word)
}
