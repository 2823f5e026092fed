import { endStage } from '../deeds/deeds.ts'
import type { Family, KnownProgram, ProcessWords } from '../program.ts'
import type { ShellWord } from '../../../model/shell.ts'

const endsNamed: KnownProgram = { operands: 'none', saysWhatStarts: true, does: endStage, endsProcesses: true }

const signalNames =
  'HUP INT QUIT ILL TRAP ABRT IOT BUS EMT FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO POLL PWR SYS'
const signal = new RegExp(`^(?:[-+]\\d+|-(?:SIG)?(?:${signalNames.replaceAll(' ', '|')}|RTM(?:IN|AX)[+-]?\\d*))$`, 'i')

/** Writes a signal, or a priority, that is a word of its own as the value of an option: `-KILL`, `+19`, and `-9f`. */
const signalWords = (args: readonly ShellWord[]): readonly ShellWord[] =>
  args.flatMap((word) => {
    const [, number, letters] = /^-(\d+)([a-z]+)$/.exec(word.value) ?? []
    const named = (value: string): ShellWord => ({ ...word, value: `--signal=${value}` })
    if (number !== undefined) return [named(number), { ...word, value: `-${letters}` }]
    return [signal.test(word.value) ? named(word.value.slice(1)) : word]
  })

/**
 * Writes the words of `kill` as options have them: a signal counts only in front, and a number with a dash behind it is a group
 * of processes.
 */
function killWords(args: readonly ShellWord[]): readonly ShellWord[] {
  const [first, ...others] = args
  const isSignal = first !== undefined && signal.test(first.value)
  // Behind `-n` is a signal's number, or a name in PowerShell.
  const rest = (isSignal ? others : args).map((word, at, all) =>
    /^-n(?:ame)?$/i.test(word.value) && !/^\d/.test(all[at + 1]?.value ?? '')
      ? Object.assign({}, word, { value: '--name' })
      : word,
  )
  const group = rest.findIndex(({ value }) => /^-\d+$/.test(value) || value === '--')
  return [
    ...(isSignal ? signalWords([first]) : []),
    ...(group === -1 || rest[group]?.value === '--' ? rest : rest.toSpliced(group, 0, { value: '--' })),
  ]
}

const byPattern: ProcessWords = {
  operands: 'pattern',
  options: { owner: 'u euid U uid G group g pgroup t terminal s session', parent: 'P parent' },
  valued: 'signal d delimiter F pidfile O older ns nslist r runstates cgroup env q queue',
  flags: 'count echo ignore-case list-name list-full newest oldest exact lightweight require-handler',
  lines: 'f full',
  others: 'v inverse',
  words: signalWords,
}

const byWords: ProcessWords = {
  operands: 'any',
  options: { id: 'p pid', name: 'c command', owner: 'u user t tty' },
  words: signalWords,
}

/** Programs that end running processes, hinder them or find them. */
export const processes: Family = {
  programs: {
    kill: {
      chooses: {
        operands: 'id',
        options: { name: 'name' },
        idle: 'l L list table',
        words: killWords,
      },
      options: 's n signal q queue',
      operands: 'none',
      saysWhatStarts: true,
      does: [
        {
          area: 'programs',
          kind: 'stop',
          object: 'process',
          flags: '1 2 9 15 HUP INT KILL TERM STOP QUIT',
          work: [''],
          harmless: ['-l|-L|--list|-0'],
          // All processes are no single one.
          when: ({ args }) => args.at(-1)?.value !== '-1',
        },
        endStage,
      ],
      looks: '-l|-L',
      prints: true,
      endsProcesses: true,
      noHelp: true,
      quiet: true,
    },
    pkill: { ...endsNamed, chooses: byPattern },
    killall: {
      ...endsNamed,
      chooses: {
        operands: 'name',
        options: { name: 'c', owner: 'u user t Z context' },
        valued: 's signal n ns o older-than y younger-than',
        flags: 'exact ignore-case process-group interactive quiet verbose wait',
        patterns: 'r regexp m',
        idle: 'l list V version',
        words: signalWords,
      },
    },
    pgrep: {
      chooses: byPattern,
      listsProcesses: (words) => /(?:^| )(?:\.|\.\*|\^|''|-u \S+|-U \S+|--u?id \S+)$/.test(words),
      operands: 'none',
      saysWhatStarts: true,
      looks: true,
      saysWhatChanges: true,
      prints: true,
    },
    renice: {
      operands: 'none',
      saysWhatStarts: true,
      hindersProcesses: true,
      chooses: {
        operands: 'id',
        options: { id: 'p pid', owner: 'u user g pgrp' },
        valued: 'n priority relative',
      },
    },
    fuser: {
      chooses: {
        operands: 'file',
        spaces: 'n namespace',
        mounts: 'm mount M ismountpoint c',
        endsBy: 'k kill',
        idle: 'l list-signals V version',
        words: signalWords,
      },
      options: 'n namespace',
      operands: 'names',
      saysWhatStarts: true,
      ignoresStdin: true,
      looks: '!-k|--kill',
      saysWhatChanges: true,
      prints: true,
      endsProcesses: true,
    },
    killall5: { endsProcesses: true, chooses: { all: () => true } },
    skill: { endsProcesses: true, chooses: byWords },
    snice: { hindersProcesses: true, chooses: byWords },
    'xkill tskill pskill pskill64 slay fkill fkill-cli': { endsProcesses: true },
    'kill-port killport': { endsProcesses: true, chooses: { operands: 'port', options: { port: 'p port' } } },
    'stop-process spps': {
      endsProcesses: true,
      chooses: {
        operands: 'any',
        options: { name: 'name processname', id: 'id' },
        valued: 'inputobject',
        flags: 'force passthru confirm whatif',
        finds: true,
        windows: 'parameters',
      },
    },
    taskkill: {
      endsProcesses: true,
      chooses: {
        options: { name: 'im', id: 'pid', condition: 'fi' },
        valued: 's u p',
        finds: true,
        windows: 'slashes',
      },
    },
    jot: { prints: true, looks: true, counts: true },
    pidof: { prints: true, looks: true, chooses: { operands: 'name', valued: 'o S d omit-pid separator' } },
  },
}
