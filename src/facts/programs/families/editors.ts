import { opens } from './remote.ts'
import { manager } from '../deeds/packages.ts'
import type { Family } from '../program.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import { formatter, linter } from './checkers.ts'
import type { CommandView, Line, Row } from '../row.ts'
import { startsIn } from './other-languages.ts'
import type { Starts, EditedFile } from '../starts.ts'
import { changed, known, wordOf, inFolder } from '../words.ts'
import { substituted } from '../../substitutions.ts'

const plainEditor: Row = {
  options: 'C=into backupdir=into f=read rcfile=read T tabsize r fill Y syntax o=names operatingdir=names',
  effects(line, recorder) {
    for (const word of line.operands) if (!word.value.startsWith('+')) recorder.touch(word, 'edit')
  },
}

const windowedEditor: Row = {
  obeys: { when: /--install-extension\b/ },
  options:
    'user-data-dir=names extensions-dir=names install-extension uninstall-extension profile locale sync +wait +diff +new-window +reuse-window',
  operands: 'edit',
}

/** Editors, viewers, formatters and converters: they read their operands, and write those that they save. */
export const editors: Family = {
  rows: { saysWhatStarts: true, obeysFolder: true },
  programs: {
    'vim vi nvim gvim ex vimdiff mvim rvim view': {
      obeys: { when: /(?:^| )(?:-l|-S|-u|--cmd|-c) / },
      options:
        'c cmd S=execute u=read U=read s=execute w=write W=write i=read t q=read p? o? O? T r? startuptime=write listen=bind remote?',
      words: withoutSilence,
      starts: startVim,
      runsStdin: ({ program }) => program === 'ex',
      effects(line, recorder) {
        for (const word of line.operands)
          if (!word.value.startsWith('+'))
            recorder.touch(word, line.has('R') || line.program === 'view' ? 'read' : 'edit')
      },
      saysWhatChanges: true,
    },
    kak: { ...plainEditor, escapes: true },
    'nano pico micro joe jed ne mcedit hx helix gedit kate kwrite mousepad pluma notepad textedit': {
      ...plainEditor,
      saysWhatChanges: true,
    },
    'ed red': { ...plainEditor, starts: startVim, runsStdin: true },
    'emacs emacsclient xemacs': {
      obeys: { when: /(?:^| )(?:-l|--load|--script|-Q)\b/ },
      options:
        'l=execute load=execute daemon?=bind bg-daemon?=bind fg-daemon?=bind eval f funcall script=execute u user t a s socket-name server-file=read L=names directory=names e execute insert=read visit=edit find-file=edit',
      oneDash: true,
      escapes: true,
      starts: (line, starts) => {
        for (const { value } of line.values('eval', 'e', 'f')) startsIn(value, starts)
      },
      effects(line, recorder) {
        for (const word of line.operands) if (!word.value.startsWith('+')) recorder.touch(word, 'edit')
      },
    },
    zed: {
      ...windowedEditor,
      does: {
        area: 'accounts-and-payments',
        never: ['relationship delete|bulk-delete', 'schema write'],
        work: ['restore'],
      },
    },
    code: {
      shared: true,
      ...windowedEditor,
      does: [
        { area: 'opened-access', ...opens({ work: ['tunnel|serve-web'] }) },
        { area: 'packages', ...manager({ installs: ['--install-extension'] }, { noSubcommands: true }) },
      ],
      looks: '--list-extensions|--version|-v|--status [--show-versions]',
      saysWhatChanges: true,
    },
    'codium vscodium code-insiders code-oss cursor windsurf positron trae antigravity': {
      shared: true,
      ...windowedEditor,
      does: { area: 'packages', ...manager({ installs: ['--install-extension'] }, { noSubcommands: true }) },
      saysWhatChanges: true,
    },
    // An agent asks hookgate itself about what it changes, and its options name its own settings.
    claude: { saysWhatChanges: true },
    'subl atom': windowedEditor,
    'idea pycharm webstorm goland phpstorm clion rubymine rider datagrip rustrover studio': {
      ...windowedEditor,
      does: { area: 'packages', ...manager({ installs: ['installplugins'] }) },
    },
    'gnome-extensions': { does: { area: 'packages', ...manager({ installs: ['install'] }) } },
    'open gnome-open kde-open start': { options: 'a b s', operands: 'read', saysWhatChanges: true },

    'xdg-open sensible-browser': { operands: 'read', variables: 'BROWSER', saysWhatChanges: true },
    'sensible-editor': { operands: 'edit', variables: 'VISUAL EDITOR' },
    // Those whose settings are code, or name code: rows of their own, since rows of `checkers` run nothing.
    prettier: {
      ...formatter,
      looks: `
    -c|--check|-l|--list-different|--version|--find-config-path|--file-info|--support-info !-w|--write
    !-w|--write|--plugin|--config|--cache|--cache-location 1..`,
    },
    oxlint: { ...formatter, looks: '!--fix|--fix-suggestions|--fix-dangerously|--init|--lsp' },
    biome: {
      ...formatter,
      looks: `
    check|lint|format|ci !--write|--fix|--apply|--apply-unsafe|--suppress
    version|explain|rage`,
    },
    'eslint oxfmt stylelint rubocop standardrb ktlint scalafmt djlint dprint': { ...formatter },
    pandoc: {
      options:
        'f from t to o=write output=write template=read c css=read H=read B=read A=read metadata-file=read bibliography=read F filter=execute L=execute lua-filter=execute V variable M metadata pdf-engine',
      operands: 'read',
    },
    typst: {
      subcommands: {
        'compile, c, watch, w': {
          options:
            'root=names font-path=names package-path=names package-cache-path=into input f format pages ppi j jobs pdf-standard creation-timestamp deps=write make-deps=write open? timings?',
          first: 'read',
          operands: 'write',
          effects(line, recorder) {
            const [source, output] = line.operands
            if (output !== undefined || source === undefined) return
            recorder.touch(changed(source, source.value.replace(/(?:\.typ)?$/, '.pdf')), 'write')
          },
        },
      },
    },
    mypy: {
      ...linter,
      looks:
        '!--install-types|--junit-xml|--html-report|--txt-report|--xml-report|--xslt-html-report|--any-exprs-report|--cobertura-xml-report|--linecount-report|--linecoverage-report|--lineprecision-report|--python-executable|--config-file',
    },
    pyright: { ...linter, looks: '!--createstub|-w|--watch' },
    pylint: { ...linter, looks: '!--init-hook|--load-plugins|--output|--rcfile|--generate-toml-config' },
    flake8: { ...linter, looks: '!--output-file|--tee|--install-hook' },
    bandit: { ...linter, looks: '!-o|--output' },
    trivy: {
      ...linter,
      looks: `
    image|fs|filesystem|config|repo|repository|rootfs|sbom !-o|--output|-t|--template|-c|--config|--reset
    version`,
    },
    markdownlint: { ...linter, looks: '!-f|--fix|-o|--output|-r|--rules|-p|--enable-plugins 1..' },
    'vale semgrep': { ...linter },
  },
}

/** Removes the `s` of `ex -s`, `vim -es` and `-sc`: it takes no value there, as the script of `vim -s` is. */
function withoutSilence({ program, args }: CommandView): readonly ShellWord[] {
  const isEx = program === 'ex' || args.some(({ value }) => /^-[a-zE]+$/.test(value) && /[eE]/.test(value))
  return args.flatMap((word) => {
    const isScript = isEx ? /^-[a-zA-Z]+$/.test(word.value) && word.value.includes('s') : word.value === '-sc'
    if (!isScript) return [word]
    return word.value === '-s' ? [] : [changed(word, word.value.replace('s', ''))]
  })
}

/** Starts the shell commands in vi commands: after `-c` and `+`, and for `ex` on stdin. */
function startVim(read: Line, starts: Starts, { args, stdin, program }: ShellCommand): void {
  const lines = [...read.values('c', 'cmd')]
  for (const { value } of args) if (/^\+./.test(value)) lines.push(known(value.slice(1)))
  if (stdin !== undefined && (program === 'ex' || /^r?ed$/.test(program) || read.has('e', 'es', 'E'))) {
    lines.push(...stdin.value.split('\n').map(known))
  }
  for (const file of read.values('S')) lines.push(...(starts.content(file)?.value.split('\n') ?? []).map(known))
  for (const line of lines) exCommands(line.value, starts)
  const files = read.operands.filter(({ value }) => !value.startsWith('+'))
  if (lines.length > 0)
    recordLineEdits(
      files,
      lines.flatMap(({ value }) => value.split('\n')),
      starts,
    )
}

function exCommands(line: string, starts: Starts): void {
  const script =
    /(?:^|\|)[\s:]*(?:(?:sil|silent|noautocmd|keepalt|verbose)!?\s+)*(?:(?:r|re|rea|read|w|wr|write|[%.$\d,'<>]+|ter|term|terminal)\s*)?!\s*(.+)$/s.exec(
      line,
    )?.[1]
  if (script !== undefined) starts.script(known(script))
  const terminal = /^\s*:?ter(?:m|mi|min|mina|minal)?\s+(\S.*)$/.exec(line)?.[1]
  if (terminal !== undefined && script === undefined) starts.script(known(terminal))
  for (const found of line.matchAll(
    /\b(?:system|systemlist|job_start|jobstart|termopen)\(\s*(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")/g,
  )) {
    starts.script(known((found[1]?.replaceAll("''", "'") ?? found[2] ?? '').replaceAll(/\\(["\\])/g, '$1')))
  }
  for (const [, path = ''] of line.matchAll(/\bdelete\(\s*(?:[\w.]{1,20}\(\s*)?["']([^"']+)["']/g))
    starts.words([known('rm'), known('-rf'), known(path.replace(/^~/, () => starts.variable('HOME')?.value ?? '~'))])
  const code = /^\s*:?(lua|py3?x?|python3?|perl|ruby)\s+(.+)$/s.exec(line)
  if (code?.[1] !== undefined) {
    const language = code[1].startsWith('py') ? 'python' : code[1] === 'lua' || code[1] === 'perl' ? code[1] : 'ruby'
    starts.code(language, known(code[2] ?? ''))
  }
}

/** What stands before a command of `ed` and `ex`: its lines, what makes it silent, the lines that it is repeated for. */
const before =
  /[\s:]+|\d+|[.$%*,;+-]|'[\w<>[\]]|\/(?:\\.|[^/\\\n])*(?:\/|$)|\?(?:\\.|[^?\\\n])*(?:\?|$)|(?:sil(?:ent)?|noa(?:utocmd)?|keep\w+|lockmarks|verb(?:ose)?|exe(?:cute)?\s+["'])!?(?:\s+|(?<=["']))|(?:g(?:lobal)?|v(?:global)?)!?(?=\s*[/?])/y

/** The commands that write the file that they name, or else the one that is open. */
const writing =
  /^(?:w(?:r(?:i(?:te?)?)?)?|wq|wn(?:ext)?|x(?:it)?|exit?|up(?:d(?:a(?:te?)?)?)?|sav(?:e(?:as?)?)?|W|redir?)(?![A-Za-z])[!q]*\s*(?:\+\+\S+\s+)*>{0,2}\s*(.*)$/s
/** The commands that open another file, or give the open one another name. */
const opening =
  /^(?:e(?:d(?:it?)?)?|E|f(?:ile?)?|vi(?:sual)?|view?|new?|vnew?|sp(?:lit)?|vs(?:plit)?|tabe(?:dit)?|tabnew|bad?d?|n(?:ext)?|ar(?:gs)?)(?![A-Za-z])!?\s+(?:\+\S*\s+)*(.+)$/s
const changing = /^(?:l|t)?cd!?\s+(.+)$/s
/** A command that has lines to put in behind it, up to a dot. */
const inserting = /^[^A-Za-z]*[aic]!?\s*$/

/**
 * Records the files that commands of `ed`, `ex` and `vim` change. What may be a command counts as one, a line of a text
 * that is put in as well.
 *
 * @param operands the files that the editor opens first
 * @param lines its commands, one a line
 */
const recordLineEdits = (operands: readonly ShellWord[], lines: readonly string[], starts: Starts): void =>
  starts.edits(lines.join('\n'), (script) => editsIn(script, operands, starts))

function editsIn(script: string, operands: readonly ShellWord[], starts: Starts): readonly EditedFile[] {
  const lines = script.split('\n')
  const { before: removed, after } = substituted(script)
  const texts = { removed, added: [after, ...insertedIn(lines)].join('\n') }
  const [written, opened]: [ShellWord[], ShellWord[]] = [[], []]
  let folder: ShellWord | undefined
  let writesOpen = false
  for (const command of lines.flatMap((line) => line.split(/(?<!\\)\|/))) {
    const text = withoutStart(command)
    const name = (match: string | undefined) => inFolder(folder, fileNamed(match ?? '', starts))
    const [isWrite, isOpen, isChange] = [writing.exec(text), opening.exec(text), changing.exec(text)]
    if (isWrite?.[1]?.startsWith('!') === true) continue
    if (isWrite !== null && /^[%#]?\s*$/.test(isWrite[1] ?? '')) writesOpen = true
    else if (isWrite !== null) written.push(name(isWrite[1]))
    else if (isOpen !== null) opened.push(name(isOpen[1]))
    else if (isChange !== null) folder = name(isChange[1])
  }
  const edit = (file: ShellWord, role: EditedFile['role']): EditedFile => ({ file, role, ...texts })
  return [
    ...operands.map((file) => edit(file, 'none')),
    ...opened.map((file) => edit(file, writesOpen ? 'edit' : 'read')),
    ...written.map((file) => edit(file, 'write')),
  ]
}

function withoutStart(command: string): string {
  let at = 0
  for (before.lastIndex = at; before.test(command); before.lastIndex = at) at = before.lastIndex
  return command.slice(at)
}

/** Reads a name as vim does, which expands variables and `~`, and takes a backslash from before any character. */
function fileNamed(text: string, starts: Starts): ShellWord {
  const home = starts.variable('HOME')?.value ?? '~'
  const plain = text.trim().replace(/["']$/, '')
  return wordOf(plain.replace(/^(?:~(?=\/|$)|\$HOME\b)/, home).replaceAll(/\\(.)/g, '$1'))
}

function insertedIn(lines: readonly string[]): readonly string[] {
  let isOpen = false
  return lines.filter((line) => {
    const was = isOpen
    isOpen = was ? line !== '.' : inserting.test(line)
    return was && isOpen
  })
}
