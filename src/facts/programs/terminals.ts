import { readOptions } from '../../model/options.ts'
import type { ShellCommand } from '../../model/shell.ts'
import type { Line, Rows } from './row.ts'
import type { Starts } from './starts.ts'
import { joined, names } from './words.ts'

/** Terminal multiplexers and emulators, which run a command in a terminal of its own. */
export const terminals: Rows = {
  tmux: { options: 'c f=read L S T', operandsLast: true, operands: 'none', starts: startTmux },
  screen: {
    options: 'c=read e h p s S t T L Logfile=append',
    operandsLast: true,
    operands: 'none',
    starts: startScreen,
  },
  zellij: { options: 'S L c s t n x y', operandsLast: true },
  'xterm uxterm urxvt konsole alacritty xfce4-terminal gnome-terminal x-terminal-emulator kitty wezterm': {
    starts(_, starts, { args }) {
      const at = args.findIndex(({ value }) => /^(?:-e|-x|--|--command|--execute)$/.test(value))
      const [first, ...others] = at === -1 ? [] : args.slice(at + 1)
      if (first === undefined) return
      if (others.length === 0) starts.script(first)
      else starts.words([first, ...others])
    },
  },
}

/** Starts the shell commands that tmux's own commands run, including keys sent to another terminal. */
function startTmux({ operands }: Line, starts: Starts): void {
  const [sub, ...rest] = operands
  if (sub === undefined) return
  if (/^(?:send-keys|send)$/.test(sub.value)) {
    const keys = readOptions(rest, { valued: names('c N t'), operandsLast: true }).operands
    const text = keys.filter(
      ({ value }) => !/^(?:C-\w|M-\w|Enter|Space|Escape|Tab|BSpace|Up|Down|Left|Right)$/.test(value),
    )
    if (text.length > 0) starts.script(joined(text, keys.some(({ value }) => value === 'Space') ? ' ' : ''))
  } else if (
    /^(?:new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawnp|respawn-window|popup|display-popup)$/.test(
      sub.value,
    )
  ) {
    const read = readOptions(rest, {
      valued: names('c e F f n s t x y l S d w h T b').filter((name) => name !== 'd' || sub.value.includes('popup')),
      operandsLast: true,
    })
    if (read.operands.length === 1 && read.operands[0] !== undefined) starts.script(read.operands[0])
    else if (read.operands.length > 1) starts.words(read.operands)
  } else if (/^(?:run|run-shell|if|if-shell|pipe-pane|pipep)$/.test(sub.value)) {
    const [first] = readOptions(rest, { valued: names('c d t'), operandsLast: true }).operands
    if (first !== undefined) starts.script(first)
  }
}

function startScreen(read: Line, starts: Starts, { args }: ShellCommand): void {
  const at = args.findIndex(({ value }) => value === '-X')
  const [sub, ...rest] = at === -1 ? [] : args.slice(at + 1)
  if (sub?.value === 'stuff') {
    starts.script(joined(rest))
    return
  }
  if (sub?.value === 'exec' || sub?.value === 'screen') {
    if (rest.length > 0) starts.words(rest)
    return
  }
  if (at !== -1) return
  if (read.operands.length > 0 && !read.has('r', 'x', 'ls', 'l')) starts.words(read.operands)
}
