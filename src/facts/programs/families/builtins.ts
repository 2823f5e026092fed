import type { Family } from '../program.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import type { Row } from '../row.ts'
import { changed } from '../words.ts'

const printing: Row = {
  output: 'words',
  ignoresStdin: true,
  effects: ({ operands }, recorder) => printed(operands, recorder),
}

/** Shell builtins, and programs that only print, wait or report. */
export const builtins: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    echo: { ...printing, startsNothing: true },
    print: printing,
    printf: {
      output: 'words',
      ignoresStdin: true,
      startsNothing: true,
      effects: ({ operands }, recorder) => printed(operands.slice(1), recorder),
    },
    yes: {
      ignoresStdin: true,
      effects({ operands }, recorder) {
        for (const word of operands) recorder.prints(word)
      },
    },
    'true false : sleep usleep expr pwd': { ignoresStdin: true, startsNothing: true },
    exit: { startsNothing: true },
    // Programs that print words without a slash: as file names, they mean files of the current folder.
    dc: { ignoresStdin: true, bareNames: true, escapes: true },
    // The error shows the text that is no date.
    date: { options: 'd date s set f=read file=read r reference', ignoresStdin: true, bareNames: true },
    'dmesg last sysctl': {
      options: 'F=read f=read file=read p=read load=read l level n lines t time-format',
      ignoresStdin: true,
    },
    'seq cal bc factor whoami logname id groups users who w uptime hostname uname nproc tty': {
      ignoresStdin: true,
      bareNames: true,
    },
    'export declare typeset local readonly unset set shift return break continue let alias unalias umask ulimit times wait jobs fg bg disown kill killall pkill pgrep renice history hash getopts read shopt enable type which whence where help caller logout suspend fc':
      { operands: 'none' },
    'info whatis tldr clear reset tput stty ps top htop free vmstat iostat lscpu lsblk lspci lsusb lsmod printenv locale getconf ipcs ifconfig route netstat ss arp lastlog':
      { operands: 'none' },
    // A key's command is a shell's.
    bind: {
      options: 'm f=read q u r x',
      starts(line, starts) {
        for (const key of line.values('x'))
          starts.script(changed(key, key.value.replace(/^\s*(?:"[^"]*"|'[^']*')\s*:/, '')))
      },
    },
    // `complete` runs it where a person types.
    complete: { options: 'A G W F C=script P S X o', operands: 'none' },
    compgen: {
      options: 'A action G globpat W wordlist F function C=script P prefix S suffix X filterpat o option',
      starts(line, starts) {
        // A list of words is expanded, with the commands in it.
        for (const list of line.values('W', 'wordlist')) starts.script(changed(list, `: ${list.value}`))
      },
      effects(line, recorder) {
        for (const { value } of line.values('G', 'globpat')) recorder.prints({ value, pattern: value })
      },
    },
    'cd pushd popd': { operands: 'names', ignoresStdin: true },
    'test [ [[': {
      ignoresStdin: true,
      startsNothing: true,
      effects(line, recorder) {
        // `[` has an expression, not getopt options, so every operand with a slash counts as a path.
        for (const word of line.operands) if (word.value.includes('/')) recorder.touch(word, 'names')
      },
    },
    'source .': {
      operandsLast: true,
      first: 'execute',
      ignoresStdin: true,
      // So does fish: `curl … | source`.
      effects({ operands: [file] }, recorder) {
        if (file === undefined || file.value === '-') recorder.readsStdin()
      },
      starts({ operands: [file] }, starts, { stdin }) {
        if (stdin !== undefined && (file === undefined || file.value === '-')) starts.script(stdin, { stdin: 'none' })
      },
    },
    'eval trap': {
      effects({ operands }, recorder) {
        for (const word of operands) if (word.value === unknownPart) recorder.mayTouch(word, 'execute')
      },
    },
    'command builtin noglob nocorrect': { starts: {}, idle: 'v V' },
    exec: {
      options: 'a',
      operandsLast: true,
      operands: 'none',
      starts(line, starts) {
        if (line.operands.length === 0) return
        starts.wrapper()
        starts.words(line.operands, line.has('c') ? { emptyEnvironment: true } : {})
      },
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
    },
    man: {
      options:
        'P=script pager=script H=script html=script C M L m S s e E r p config-file manpath locale systems sections extension encoding prompt preprocessor recode',
      operands: 'none',
      variables: 'MANPAGER PAGER',
    },
    'sensible-pager': { variables: 'PAGER' },
    'cargo-watch': { options: 's=script shell=script x exec w watch i ignore C workdir d delay' },
  },
}

/** Records the words of `echo`, which may name files: `rm $(echo ~/*)`. */
function printed(words: readonly ShellWord[], recorder: EffectRecorder): void {
  for (const word of words) if (word.unresolved === true || word.pattern !== undefined) recorder.prints(word)
}
