import { readOptions } from '../../../model/options.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { splitWords } from './split.ts'
import { joined, known, names } from './words.ts'

/** `make -f -` has its rules on stdin, `--eval` on its command line; recipes are the lines behind a tab. */
const make: Unwrap = ({ args, stdin, program }, starts) => {
  const read = readOptions(args, {
    valued: names('C directory f file makefile I include-dir j jobs l load-average o old-file W what-if eval E O'),
  })
  if (read.has('help', 'h', 'version', 'v', 'n', 'just-print', 'dry-run', 'recon', 'q', 'question')) return
  const files = names('f file makefile').flatMap((name) => read.given.get(name) ?? [])
  const texts: ShellWord[] = ['eval', 'E'].flatMap((name) => read.given.get(name) ?? [])
  if (stdin !== undefined && files.some(({ value }) => value === '-' || value === '/dev/stdin')) texts.push(stdin)
  for (const { value } of texts) {
    for (const line of value.replaceAll(/\\\n\t?/g, ' ').split('\n')) {
      const recipe = /^\t[@+-]*(.+)$/.exec(line)?.[1] ?? /^[^\s:=#][^:=]*:[^=;]*;\s*[@+-]*(.+)$/.exec(line)?.[1]
      if (recipe !== undefined) starts.script(recipeText(recipe))
    }
  }
  for (const { value } of texts.filter((text) => text === stdin).concat(args)) shellCalls(value, starts)
  const shell = args.find(({ value }) => value.startsWith('SHELL='))
  if (shell !== undefined && program !== 'cmake')
    starts.words([known(shell.value.slice('SHELL='.length)), known('-c'), unknownRecipe])
}

const unknownRecipe: ShellWord = { value: unknownPart, unresolved: true }

/** make's own variables are not known; `$$` is the shell's dollar. */
function recipeText(recipe: string): ShellWord {
  const value = recipe.replaceAll(/\$(?:\$|\([^()]*\)|\{[^{}]*\}|.)/g, (found) => (found === '$$' ? '$' : unknownPart))
  return value.includes(unknownPart) ? { value, unresolved: true } : { value }
}

/** `$(shell …)` runs as soon as it is read, and so does `NAME != …`. */
function shellCalls(text: string, starts: Starts): void {
  for (const found of text.matchAll(/\$[({]shell\s+/g)) {
    let depth = 1
    const from = found.index + found[0].length
    let at = from
    for (; at < text.length && depth > 0; at++) {
      const char = text.charAt(at)
      if (char === '(' || char === '{') depth++
      else if (char === ')' || char === '}') depth--
    }
    starts.script(recipeText(text.slice(from, depth === 0 ? at - 1 : at)))
  }
  for (const found of text.matchAll(/^[\w.-]+\s*!=\s*(.+)$/gm)) starts.script(recipeText(found[1] ?? ''))
}

/** Commands of vi behind `-c` and `+`, and of `ex` on stdin. */
const vim: Unwrap = ({ args, stdin, program }, starts) => {
  const read = readOptions(args, {
    valued: names('c cmd S u U i s T w W t startuptime servername remote-send remote-expr r'),
  })
  const lines: ShellWord[] = ['c', 'cmd'].flatMap((name) => read.given.get(name) ?? [])
  for (const { value } of args) if (/^\+./.test(value)) lines.push(known(value.slice(1)))
  if (stdin !== undefined && (program === 'ex' || program === 'ed' || read.has('e', 'es', 'E'))) {
    lines.push(...stdin.value.split('\n').map(known))
  }
  for (const line of lines) exCommands(line.value, starts)
}

function exCommands(line: string, starts: Starts): void {
  const script =
    /(?:^|\|)[\s:]*(?:(?:sil|silent|noautocmd|keepalt|verbose)!?\s+)*(?:r|re|rea|read|w|wr|write|:?[%.$\d,'<>]*|ter|term|terminal)\s*!\s*(.+)$/s.exec(
      line,
    )?.[1]
  if (script !== undefined) starts.script(known(script))
  const terminal = /^\s*:?ter(?:m|mi|min|mina|minal)?\s+(.+)$/.exec(line)?.[1]
  if (terminal !== undefined && script === undefined) starts.script(known(terminal))
  for (const found of line.matchAll(
    /\b(?:system|systemlist|job_start|jobstart|termopen)\(\s*(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")/g,
  )) {
    starts.script(known((found[1]?.replaceAll("''", "'") ?? found[2] ?? '').replaceAll(/\\(["\\])/g, '$1')))
  }
  const code = /^\s*:?(lua|py3?x?|python3?|perl|ruby)\s+(.+)$/s.exec(line)
  if (code?.[1] !== undefined) {
    const language = code[1].startsWith('py') ? 'python' : code[1] === 'lua' || code[1] === 'perl' ? code[1] : 'ruby'
    starts.code(language, known(code[2] ?? ''))
  }
}

/** A path of Lisp, which knows of homes. */
const atHome = (path: string, starts: Starts): string =>
  path.replace(/^~(?=\/|$)/, () => starts.variable('HOME')?.value ?? '~')

/** Lisp that starts something or deletes, as far as its arguments are literal. */
const emacs: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { valued: names('eval e execute l load f funcall u user'), oneDash: true })
  for (const { value } of names('eval e execute').flatMap((name) => read.given.get(name) ?? [])) {
    for (const found of value.matchAll(/\((?:async-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g)) {
      starts.script(known((found[1] ?? '').replaceAll(/\\(.)/g, '$1')))
    }
    for (const found of value.matchAll(/\(delete-(file|directory)\s+"((?:[^"\\]|\\.)*)"(\s+t)?/g)) {
      starts.words([
        known('rm'),
        ...(found[1] === 'directory' ? [known('-r')] : []),
        known(atHome(found[2] ?? '', starts)),
      ])
    }
    for (const found of value.matchAll(
      /\((?:call-process|start-process\s+"[^"]*"\s+\S+)\s+"([^"]*)"(?:\s+(?:nil|t|0))*((?:\s+"[^"]*")*)/g,
    )) {
      starts.words([known(found[1] ?? ''), ...splitWords(found[2] ?? '')])
    }
  }
}

/** Addresses of socat that start something: `EXEC:words,options`, `SYSTEM:script`. */
const socat: Unwrap = ({ args }, starts) => {
  for (const { value } of args) {
    const found = /^(EXEC|SYSTEM|SHELL):/i.exec(value)
    if (found?.[1] === undefined) continue
    const text = withoutOptions(value.slice(found[0].length))
    if (found[1].toUpperCase() === 'EXEC') starts.words(splitWords(text))
    else starts.script(known(text))
  }
}

/** Up to the first comma that is not quoted. */
function withoutOptions(text: string): string {
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\') at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === ',' || char === '!') return text.slice(0, at)
  }
  return text
}

const netcat: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued:
      names(`e exec c sh-exec lua-exec g G i I M m O o P p q s S T V w W X x source source-port idle-timeout wait delay
      output hex-dump proxy proxy-type proxy-auth ssl-cert ssl-key max-conns allow deny`),
  })
  for (const text of ['e', 'exec'].flatMap((name) => read.given.get(name) ?? [])) starts.words(splitWords(text.value))
  for (const text of ['c', 'sh-exec'].flatMap((name) => read.given.get(name) ?? [])) starts.script(text)
}

/** What Tcl spawns, and what it runs by itself. */
const expect: Unwrap = ({ args, stdin }, starts) => {
  const read = readOptions(args, { valued: ['c', 'f', 'b'], operandsLast: true })
  const texts = [...(read.given.get('c') ?? []), ...(read.operands.length === 0 && stdin !== undefined ? [stdin] : [])]
  for (const { value } of texts) {
    for (const found of value.matchAll(/(?:^|[;\n[{])\s*(?:spawn(?:\s+-noecho)?|exec|system)\s+([^;\n\]}]+)/g)) {
      starts.words(splitWords((found[1] ?? '').replaceAll(/[{}]/g, "'")))
    }
    for (const found of value.matchAll(/(?:^|[;\n[{])\s*file\s+delete\s+(-force\s+)?(?:--\s+)?([^;\n\]}]+)/g)) {
      starts.words([known('rm'), known(found[1] === undefined ? '-f' : '-rf'), ...splitWords(found[2] ?? '')])
    }
  }
}

/** Commands for a terminal within the terminal. */
const tmux: Unwrap = ({ args }, starts) => {
  const { operands } = readOptions(args, { valued: names('c f L S T'), operandsLast: true })
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

const screen: Unwrap = ({ args }, starts) => {
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
  const read = readOptions(args, { valued: names('c e h p s S t T L Logfile'), operandsLast: true })
  if (read.operands.length > 0 && !read.has('r', 'x', 'ls', 'l')) starts.words(read.operands)
}

/** A terminal of its own for a command. */
const terminal =
  (marks: string): Unwrap =>
  ({ args }, starts) => {
    const at = args.findIndex(({ value }) => names(marks).includes(value))
    const words = at === -1 ? [] : args.slice(at + 1)
    if (words.length === 1 && words[0] !== undefined) starts.script(words[0])
    else if (words.length > 1) starts.words(words)
  }

/** `apt -o DPkg::Pre-Invoke::=SCRIPT`. */
const apt: Unwrap = ({ args }, starts) => {
  for (const { value } of readOptions(args, { valued: names('o option t c') }).given.get('o') ?? []) {
    const script = /^[\w:-]*(?:Invoke|Invoke-Success|Run|Pager|ProxyAutoDetect|Proxy-Auto-Detect)[\w:-]*=(.+)$/is.exec(
      value,
    )?.[1]
    if (script !== undefined) starts.script(known(script.replace(/^\{?"?|"?;?\}?$/g, '')))
  }
}

/** Clients of databases, whose texts may have commands for a shell among them. */
const sql =
  (options: string, valued: string, operand?: number): Unwrap =>
  ({ args, stdin }, starts) => {
    const read = readOptions(args, { valued: names(`${options} ${valued}`) })
    const texts = [
      ...names(options).flatMap((name) => read.given.get(name) ?? []),
      ...(operand === undefined ? [] : read.operands.slice(operand)),
    ]
    for (const text of texts) starts.code('sql', text)
    if (texts.length === 0 && stdin !== undefined) starts.code('sql', stdin)
  }
const mysql = sql(
  'e execute init-command',
  'u user h host P port D database S socket default-character-set defaults-file',
)

export const tools: Readonly<Record<string, Unwrap>> = {
  make,
  gmake: make,
  bmake: make,
  remake: make,
  vi: vim,
  vim,
  nvim: vim,
  ex: vim,
  view: vim,
  vimdiff: vim,
  gvim: vim,
  ed: vim,
  emacs,
  emacsclient: emacs,
  socat,
  nc: netcat,
  ncat: netcat,
  netcat,
  'nc.traditional': netcat,
  'nc.openbsd': netcat,
  expect,
  tclsh: expect,
  wish: expect,
  tmux,
  screen,
  xterm: terminal('-e'),
  uxterm: terminal('-e'),
  urxvt: terminal('-e'),
  konsole: terminal('-e'),
  alacritty: terminal('-e --command'),
  'xfce4-terminal': terminal('-e --command -x --execute'),
  'gnome-terminal': terminal('-- -e -x'),
  'x-terminal-emulator': terminal('-e'),
  kitty: terminal('-e --'),
  wezterm: terminal('--'),
  apt,
  'apt-get': apt,
  psql: sql('c command', 'd dbname U username h host p port f file v set F R P o output L T'),
  mysql,
  mariadb: mysql,
  sqlite3: sql('cmd', 'separator init newline nullvalue mmap', 1),
  sqlite: sql('cmd', 'separator init', 1),
}
