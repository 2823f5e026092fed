import { type Judge, isKnown } from '../looks/look.ts'
import { looksLikePath, splitWords, joined, names } from '../words.ts'
import type { Row, Line } from '../row.ts'
import type { Family } from '../program.ts'
import { behind, readOptions } from '../../../words/options.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import type { Starts } from '../starts.ts'

export const multiplexer: Row = {
  options: 'c f=execute L S=write T',
  operandsLast: true,
  operands: 'none',
  typed: /^(?: -[SLf] \S+)*(?: (?:new|new-session|a|at|attach|attach-session)(?!.* -\w*d)(?: .*)?)?$/,
  effects({ operands }, recorder) {
    const at = operands.findIndex(({ value }) => value === 'source-file' || value === 'source')
    if (at !== -1)
      for (const word of operands.slice(at + 1)) if (!word.value.startsWith('-')) recorder.touch(word, 'execute')
  },
  starts: startTmux,
}

const onlyShowsOrRuns: Judge = (look) =>
  isKnown(look) &&
  (look.args[0]?.value === '-p' || ((look.starts ?? 0) > 0 && look.args.some(({ value }) => value === '/dev/null')))

/** Terminal multiplexers and emulators, which run a command in a terminal of its own. */
export const terminals: Family = {
  programs: {
    tmux: {
      ...multiplexer,
      looks:
        'ls|list-sessions|list-windows|lsw|list-panes|lsp|list-clients|lsc|list-keys|list-commands|has-session !-F|-f',
    },
    'byobu byobu-tmux': multiplexer,
    screen: {
      typed: /^(?!.* (?:-ls|-list|-wipe|-X|-Q|-v|-\w*[dD]m\w*|--help|--version)(?: |$))/,
      options: 'c=execute e h p s S t T L Logfile=append',
      operandsLast: true,
      operands: 'none',
      starts: startScreen,
      looks: { oneDash: true, lines: '--ls|--list []' },
    },
    zellij: {
      options: 'S L c s t n x y',
      operandsLast: true,
      starts: startTyped,
      typed: /^(?: (?:attach|a|-s|--session|-l|--layout)(?: \S+)*)?$/,
    },
    'xdotool ydotool wtype dotool': { operandsLast: true, operands: 'none', starts: startTyped },
    'xterm uxterm urxvt konsole alacritty xfce4-terminal gnome-terminal x-terminal-emulator kitty kitten wezterm': {
      starts(line, starts, command) {
        startTyped(line, starts, command)
        const { args } = command
        const at = args.findIndex(({ value }) => /^(?:-e|-x|--|--command|--execute)$/.test(value))
        const [first, ...others] = at === -1 ? [] : args.slice(at + 1)
        if (first === undefined) return
        if (others.length === 0) starts.script(first)
        else starts.words([first, ...others])
      },
    },
    // `script [-c SCRIPT] [FILE]` of Linux, `script [FILE [COMMAND…]]` of the BSDs.
    script: {
      options:
        'c command E echo I=write log-in=write O=write log-out=write B=write log-io=write T=write log-timing=write m logging-format o output-limit t timing',
      operandsLast: true,
      operands: 'none',
      starts: startTypescript,
      effects: (line, recorder) => recorder.touch(line.operands[0], 'write'),
      looks: ['--help|--version ..0', onlyShowsOrRuns],
      prints: true,
    },
    'asciinema ttyrec': {
      options: 'o=write c command',
      effects({ operands }, recorder) {
        for (const word of operands) if (looksLikePath(word.value)) recorder.touch(behind(word, 0), 'write')
      },
    },
  },
}

/** Starts the shell commands that tmux's own commands run, which `;` separates. */
function startTmux(line: Line, starts: Starts): void {
  const script = line.value('c')
  if (script !== undefined) starts.script(script)
  let own: ShellWord[] = []
  for (const word of line.operands) {
    if (word.value !== ';') {
      own.push(word)
      continue
    }
    startTmuxCommand(own, starts)
    own = []
  }
  startTmuxCommand(own, starts)
}

/** Commands of tmux whose last words are another command of tmux, and their own options and operands. */
const behindOthers: Readonly<Record<string, readonly [valued: string, own: number]>> = {
  'set-hook': ['t', 1],
  bind: ['T N', 1],
  'bind-key': ['T N', 1],
  'confirm-before': ['p t', 0],
  confirm: ['p t', 0],
}

/** Starts what one command of tmux runs, including keys sent to another terminal. */
function startTmuxCommand([sub, ...rest]: readonly ShellWord[], starts: Starts): void {
  if (sub === undefined) return
  const other = behindOthers[sub.value]
  if (other !== undefined) {
    const words = readOptions(rest, { valued: names(other[0]), operandsLast: true }).operands.slice(other[1])
    const [only] = words
    if (only !== undefined) startTmuxCommand(words.length === 1 ? splitWords(only.value) : words, starts)
    return
  }
  if (/^(?:send-keys|send)$/.test(sub.value)) {
    const keys = readOptions(rest, { valued: names('c N t'), operandsLast: true }).operands
    const text = keys.filter(
      ({ value }) => !/^(?:C-\w|M-\w|Enter|Space|Escape|Tab|BSpace|Up|Down|Left|Right)$/.test(value),
    )
    if (text.length > 0) typed(joined(text, keys.some(({ value }) => value === 'Space') ? ' ' : ''), starts)
  } else if (
    /^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawnp|respawn-window|popup|display-popup)$/.test(
      sub.value,
    )
  ) {
    const read = readOptions(rest, {
      valued: names(sub.value.includes('popup') ? 'c d e h s S t T w x y b' : 'c e F f l n p s t x y'),
      operandsLast: true,
    })
    if (read.operands.length === 1 && read.operands[0] !== undefined) starts.script(read.operands[0])
    else if (read.operands.length > 1) starts.words(read.operands)
  } else if (/^(?:run|run-shell|if|if-shell|pipe-pane|pipep)$/.test(sub.value)) {
    const [first] = readOptions(rest, { valued: names('c d t'), operandsLast: true }).operands
    if (first !== undefined) starts.script(first)
  }
}

/** Subcommands behind which the words are keys for a terminal or window; `wtype` has none. */
const typing = /^(?:send-text|write-chars|type)$/

/** Starts what a program types into another terminal or window. */
function startTyped(_: Line, starts: Starts, { program, args }: ShellCommand): void {
  const at = program === 'wtype' ? -1 : args.findIndex(({ value }) => typing.test(value))
  if (at === -1 && program !== 'wtype') return
  const valued = names('m match t match-tab to pane-id delay d D key-delay key-hold window file from-file')
  const text = readOptions(args.slice(at + 1), { valued }).operands
  if (text.length > 0) typed(joined(text), starts)
}

/** Starts what is typed into a terminal, which may be a shell or any other program: what is no command is no mistake. */
function typed(text: ShellWord, starts: Starts): void {
  const isControl = /^(?:\p{Cc}|\^[A-Z[])*$/u.test(text.value)
  if (!isControl) starts.script(text, text.unresolved === true ? {} : { guessed: true })
}

function startScreen(read: Line, starts: Starts, { args }: ShellCommand): void {
  const at = args.findIndex(({ value }) => value === '-X')
  const [sub, ...rest] = at === -1 ? [] : args.slice(at + 1)
  if (sub?.value === 'stuff') {
    typed(joined(rest), starts)
    return
  }
  if (sub?.value === 'exec' || sub?.value === 'screen') {
    if (rest.length > 0) starts.words(rest)
    return
  }
  if (at !== -1) return
  if (read.operands.length > 0 && !read.has('r', 'x', 'ls', 'l')) starts.words(read.operands)
}

function startTypescript(read: Line, starts: Starts, { stdin }: ShellCommand): void {
  const behindFile = readOptions(read.operands.slice(1), { valued: names('c command'), operandsLast: true })
  const text = read.value('c', 'command') ?? behindFile.value('c', 'command')
  // On the BSDs, a command may follow the file; on Linux, there is only the file.
  const words = read.operands.slice(1)
  if (text !== undefined) starts.script(text)
  else if (words.length > 0) starts.words(words)
  else if (stdin !== undefined) starts.script(stdin, { stdin: 'none', guessed: true })
  if (text !== undefined || words.length > 0 || read.has('help', 'version', 'V', 'h')) starts.wrapper()
}
