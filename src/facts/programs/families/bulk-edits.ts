import { behindDashes, changed, known, names, splitWords } from '../words.ts'
import type { Line, Row } from '../row.ts'
import { type EffectRecorder, type Role, touchListed } from '../effects.ts'
import type { Family } from '../program.ts'
import { type ShellWord, unknownPart } from '../../../model/shell.ts'

/** The folder that a program works in which is given none. */
const here = known('.')

/** Returns a word that the program itself takes for a pattern of files, however it is quoted. */
const asPattern = (word: ShellWord): ShellWord => (/[*?[]/.test(word.value) ? { ...word, pattern: word.value } : word)

/** Records that a file, or those in a folder, get other names. The folder that the program works in keeps its own. */
function rename(word: ShellWord, recorder: EffectRecorder): void {
  const isFolder = /^(?:.*\/)?\.{0,2}$/.test(word.value)
  recorder.touch(word, isFolder ? 'into' : 'move', { recursive: true })
}

/**
 * Makes the row of a program that renames what it is given, or what is in the folder that it works in.
 *
 * @param isTried tells whether it only shows the new names
 */
const renamer = (options: string, isTried: (line: Line) => boolean): Row => ({
  options,
  wholeNames: true,
  effects(line, recorder) {
    if (isTried(line)) return
    for (const word of line.operands.length === 0 ? [here] : line.operands) rename(word, recorder)
  },
})

/** True for a Perl expression, and not a text that another takes the place of. */
const isExpression = ({ value }: ShellWord): boolean => /^(?:s|y|tr)\W|[;($`]/.test(value)

/** Returns the expressions by which `rename` makes new names, and the files. */
function renamed(line: Line): { readonly expressions: readonly ShellWord[]; readonly files: readonly ShellWord[] } {
  const [first, second] = line.operands
  if (line.has('e', 'E', 'expr') || first === undefined)
    return { expressions: line.values('e', 'E', 'expr'), files: line.operands }
  if (isExpression(first)) return { expressions: [first], files: line.operands.slice(1) }
  // The `rename` of util-linux puts its second word in the place of the first.
  return { expressions: [], files: line.operands.slice(second?.value.includes('/') === false ? 2 : 1) }
}

/** Removes zsh's parentheses around the part that it calls `$1`, and those of a kind of file at the end: `(*).txt(.)`. */
const patternOf = (word: ShellWord): ShellWord =>
  asPattern({ ...word, value: word.value.replaceAll(/\((?:[./@]|[\w^]+)\)$|[()]/g, '') })

/** Records what `mmv` moves, copies or links: the names that its first pattern matches, to those that its second makes. */
function movePatterns(line: Line, recorder: EffectRecorder): void {
  const [from, to] = line.operands
  if (from === undefined || to === undefined) return
  const role: Role = line.surely('n', 'dryrun')
    ? 'names'
    : /^(?:mln|zcp|zln)$/.test(line.program) ||
        line.has(...names('c copy o overwrite a append l hardlink s symlink C L'))
      ? 'read'
      : 'move'
  recorder.touch(patternOf(from), role)
  const made = to.value.replaceAll(/#[lu]?\d+|\$(?:\{[^}]*\}|\w+)/g, '*')
  if (role !== 'names') recorder.touch(asPattern({ ...to, value: made }), line.has('a', 'append') ? 'append' : 'write')
}

const quickOptions = 'f format o options e=script editor=script ls=execute command sort time'

/** Programs that give many files other names, by a pattern or in an editor. */
const renamers: Family['programs'] = {
  'rename prename perl-rename file-rename rename.ul': {
    output: 'names',
    options: 'e E expr +no-act +nono +just-print +force +verbose +all +last +no-overwrite +symlink +interactive',
    silent: true,
    starts(line, starts) {
      for (const expression of renamed(line).expressions) starts.code('perl', expression)
    },
    effects(line, recorder) {
      const isTried = line.surely('n', 'no-act', 'nono', 'just-print')
      const { files } = renamed(line)
      for (const word of files) recorder.touch(word, isTried ? 'names' : 'move')
      if (files.length > 0 && !isTried) recorder.touch(here, 'into')
    },
  },
  'mmv mln': { options: '', wholeNames: true, effects: movePatterns },
  'zmv zcp zln': {
    options: 'p P o',
    wholeNames: true,
    effects: movePatterns,
    starts({ value, surely, operands: [from, to] }, starts) {
      // The new name is evaluated for each file, also by a trial.
      if (to !== undefined && /\$\(|`/.test(to.value)) starts.script(changed(to, `: "${to.value}"`))
      const program = value('p', 'P')
      if (program === undefined || surely('n')) return
      const files = [...(from === undefined ? [] : [patternOf(from)]), ...(to === undefined ? [] : [to])]
      starts.words([...splitWords(program.value, { of: program }), ...files])
    },
  },
  'vidir massren': { ...renamer('', (line) => line.surely('n', 'dry-run')), variables: 'VISUAL EDITOR' },
  qmv: { ...renamer(quickOptions, (line) => line.surely('dummy')), variables: 'VISUAL EDITOR' },
  // It hands the old and the new name of each file to the command.
  qcmd: {
    options: quickOptions,
    variables: 'VISUAL EDITOR',
    starts(line, starts) {
      const command = line.value('command')
      if (command === undefined || line.surely('dummy')) return
      for (const word of line.operands.length === 0 ? [here] : line.operands)
        starts.words([...splitWords(command.value, { of: command }), word, starts.named(unknownPart)])
    },
  },
  qcp: { options: quickOptions, operands: 'read', variables: 'VISUAL EDITOR' },
  nomino: {
    options: 'd dir depth D g=write generate=write m=read map=read r regex s sort',
    wholeNames: true,
    effects(line, recorder) {
      if (!line.surely('t', 'test', 'dry-run')) recorder.touch(line.value('d', 'dir') ?? here, 'into')
    },
  },
  'f2 goname': renamer(
    'f find r replace csv=read E exclude exclude-dir exiftool-opts fix-conflicts-pattern I include m max-depth pair-order l replace-limit replace-range sort sortr sort-var t=into target-dir=into',
    (line) => !line.has('x', 'exec'),
  ),
  rnr: {
    options: 'd max-depth l replace-limit t replace-transform color dump-prefix r? recursive?',
    wholeNames: true,
    effects(line, recorder) {
      if (!line.has('f', 'force') || line.surely('n', 'dry-run')) return
      const [verb, ...rest] = line.operands
      if (verb?.value === 'from-file') {
        recorder.touch(rest[0], 'read')
        recorder.touch(here, 'into')
        return
      }
      const files = verb?.value === 'to-ascii' ? rest : line.operands.slice(verb?.value === 'regex' ? 3 : 2)
      for (const word of files) rename(word, recorder)
    },
  },
  brename: renamer(
    'p pattern r replacement f include-filters F exclude-filters S skip-filters k=read kv-file=read I key-capt-idx m key-miss-repl max-depth n start-num nr-width o overwrite-mode s list-sep v verbose',
    (line) => line.surely('d', 'dry-run') || line.surely('l', 'list'),
  ),
  renamer: renamer('f find r replace e path-element index-format p=execute plugin=execute', (line) =>
    line.surely('d', 'dry-run'),
  ),
  repren: {
    options: 'from to p=read patterns=read exclude include backup-suffix format agent-base',
    abbreviates: true,
    effects(line, recorder) {
      if (line.surely('n', 'dry-run') || line.has('walk-only')) return
      for (const word of line.operands) {
        if (!line.has('renames')) recorder.touch(word, 'edit', { recursive: true })
        if (line.has('renames', 'full')) rename(word, recorder)
      }
    },
  },
  detox: renamer('f=read s', (line) => line.surely('n', 'dry-run')),
  convmv: renamer('f t', (line) => !line.has('notest')),
}

/** Records that files, or those in folders, are edited, or only read. */
function edit(words: readonly ShellWord[], isTried: boolean, recorder: EffectRecorder): void {
  for (const word of words) recorder.touch(asPattern(word), isTried ? 'read' : 'edit', { recursive: true })
}

/**
 * Makes the row of a program that puts its second word in the place of its first, in the files behind these.
 *
 * @param isTried tells whether it only shows what it would change
 * @param otherwise where it works if it is given no files
 */
const replacer = (options: string, isTried: (line: Line) => boolean, otherwise: readonly ShellWord[] = []): Row => ({
  options,
  wholeNames: true,
  effects(line, recorder) {
    const files = line.operands.slice(2)
    const folder = line.value('d', 'dir')
    const all = folder === undefined ? files : [folder, ...files]
    edit(all.length > 0 || isTried(line) ? all : otherwise, isTried(line), recorder)
  },
})

/** True for the `sg` that is short for `ast-grep`, and not the one that runs a command as a group. */
export const isAstGrep = ([first]: readonly ShellWord[]): boolean =>
  first !== undefined && /^(?:run|scan|test|new|lsp|outline|completions)$|^-(?!c$|$)/.test(first.value)

export const astGrepOptions =
  'p pattern selector k kind r rewrite l lang strictness no-ignore globs j threads rule inline-rules format report-style color A after B before C context filter max-results custom-languages'

/** Records which files ast-grep changes: with `-U` all that match, with `-i` those that a person chooses. */
export function rewriteFiles(line: Line, recorder: EffectRecorder): void {
  const [verb] = line.operands
  const words = line.operands.slice(/^(?:run|scan)$/.test(verb?.value ?? '') ? 1 : 0)
  const isChanged = line.has('U', 'update-all', 'i', 'interactive')
  edit(words.length === 0 && isChanged ? [here] : words, !isChanged, recorder)
}

/** Options by which srgn changes the text that it finds. It also puts what stands behind `--` in the place of that text. */
const srgnActions = names(
  'u upper l lower t titlecase n normalize g german S symbols d delete s squeeze squeeze-repeats',
)
const srgnLanguages = names('c csharp cs go hcl python py rust rs typescript ts')

/** Programs that replace a text in many files, and code by its form. */
const replacers: Family['programs'] = {
  sd: replacer('n max-replacements f flags', (line) => line.surely('p', 'preview')),
  rpl: replacer('x E encoding', (line) => line.surely('s', 'simulate', 'dry-run')),
  ruplacer: replacer('t type T type-not color', (line) => !line.has('go'), [here]),
  ambr: replacer(
    'key-from-file=read rep-from-file=read max-threads size-per-thread bin-check-bytes mmap-bytes',
    () => false,
    [here],
  ),
  fastmod: replacer('d dir e extensions g glob iglob', () => false, [here]),
  'replace-in-file': replacer('configFile=read ignore encoding', (line) => line.surely('dry')),
  // That of MySQL has its files behind dashes, that of npm behind its two words.
  replace: {
    options: 'include exclude excludeList n',
    wholeNames: true,
    effects(line, recorder, { args }) {
      edit(behindDashes(args) ?? line.operands.slice(2), line.surely('preview'), recorder)
    },
  },
  codemod: {
    options:
      'd dir t target extensions exclude-paths start end editor=script +count +accept-all +default-no +include-extensionless +test +dry-run',
    variables: 'EDITOR',
    effects(line, recorder) {
      const isTried = line.has('count', 'test') || line.surely('dry-run')
      if (!isTried) edit([line.value('d', 'dir', 't', 'target') ?? here], false, recorder)
    },
  },
  jscodeshift: {
    options:
      't=execute transform=execute parser parser-config=read extensions ignore-pattern ignore-config=read c cpus',
    wholeNames: true,
    effects: (line, recorder) => edit(line.operands, line.surely('d', 'dry'), recorder),
  },
  comby: {
    options:
      'matcher m lang l language d directory extensions e file-extensions f templates=read config=read configuration=read exclude-dir exclude rule timeout jobs depth custom-metasyntax=read custom-matcher=read zip=read z=read editor=script ripgrep rg bound-count chunk-matches substitute-only +in-place +review +default-no +match-only +only-matching',
    oneDash: true,
    variables: 'EDITOR',
    effects(line, recorder) {
      const isChanged = line.has('i', 'in-place', 'review', 'r', 'editor', 'default-no')
      const isTried = !isChanged || line.surely('match-only', 'only-matching', 'o') || line.has('substitute-only')
      // A name without a folder stands for all files that end so: `.js`, `main.go`.
      const files = line.operands.slice(2).filter(({ value }) => value.includes('/'))
      const others = line.operands.length - 2 - files.length
      const folder = files.length === 0 || others > 0 ? (line.value('d', 'directory') ?? here) : undefined
      if (folder === undefined || !isTried || line.has('d', 'directory') || others > 0)
        edit(folder === undefined ? files : [folder, ...files], isTried, recorder)
    },
  },
  'ast-grep': {
    options: `${astGrepOptions} c=read config=read`,
    wholeNames: true,
    effects: rewriteFiles,
    // What follows `-p` counts as an option if it looks like one.
    looks: {
      options: '+p +pattern',
      lines: `
    run|scan !-U|--update-all|-i|--interactive|-c|--config
    -p|--pattern !-U|--update-all|-i|--interactive|-c|--config ..3`,
    },
  },
  // Its input names the files. Without `-k`, a person chooses in `fzf` what is changed.
  sad: {
    options: 'f flags p=script pager=script fzf u unified',
    wholeNames: true,
    variables: 'GIT_PAGER',
    effects: (line, recorder, { stdin }) =>
      touchListed(stdin, recorder.touch, line.has('k', 'commit') ? 'edit' : 'read'),
  },
  srgn: {
    options: `G glob stdin-detection stdout-detection threads ${srgnLanguages.flatMap((name) => [name, `${name}-query`, `${name}-query-file=read`]).join(' ')}`,
    wholeNames: true,
    effects(line, recorder, { args, stdin }) {
      const glob = line.value('G', 'glob')
      // With a language and no input, it takes all files of that language.
      const isAll = glob === undefined && stdin === undefined && line.has(...srgnLanguages)
      const isChanged = (behindDashes(args)?.length ?? 0) > 0 || line.has(...srgnActions)
      const isTried = !isChanged || line.surely('dry-run')
      edit(glob === undefined ? (isAll && !isTried ? [here] : []) : [glob], isTried, recorder)
    },
  },
  scooter: {
    options:
      's search-text r replace-text I files-to-include E files-to-exclude c=names config-dir=names log-level editor-command=script',
    wholeNames: true,
    effects(line, recorder, { stdin }) {
      const isAsked = !line.has('N', 'no-tui', 'X', 'immediate', 'R', 'immediate-replace')
      if (stdin === undefined || line.has('no-stdin')) edit([line.operands[0] ?? here], isAsked, recorder)
    },
  },
  // A person chooses in it what is replaced.
  serpl: {
    options: 'p project-root',
    wholeNames: true,
    effects: (line, recorder) => edit([line.value('p', 'project-root') ?? here], false, recorder),
  },
  // The text stands right behind the letter. Without `-o`, the second file gets what the first becomes.
  gsar: {
    options: 's? r? c? x? d? u?',
    wholeNames: true,
    effects(line, recorder) {
      const isChanged = line.has('r', 'd', 'u') && !line.has('B', 'F')
      const isInto = isChanged && !line.has('o') && line.operands.length === 2
      edit(isInto ? line.operands.slice(0, 1) : line.operands, !isChanged || isInto, recorder)
      if (isInto) recorder.touch(line.operands[1], 'write')
    },
  },
}

/** Programs that rename or rewrite many files in one call. */
export const bulkEdits: Family = {
  rows: { saysWhatStarts: true },
  programs: { ...renamers, ...replacers },
}
