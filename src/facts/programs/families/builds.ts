import type { Family } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart, unknownWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath } from '../looks.ts'
import type { Line, Row } from '../row.ts'
import { splitWords } from '../split.ts'
import type { Starts } from '../starts.ts'
import { folderFrom } from '../unwrap.ts'
import { assignmentsBefore, behind, known, withoutDashes } from '../words.ts'

const builder: Row = {
  options:
    'f=execute file=execute makefile=execute C=names directory=names I=names include-dir=names j? jobs? l? load-average? o old-file W what-if eval E O new-file assume-new justfile=execute working-directory=names taskfile=execute +dry-run +just-print +always-make +silent',
  effects(line, recorder) {
    if (line.has('n', 'dry-run', 'just-print', 'recon', 'f', 'file', 'makefile', 'v')) return
    // The build file in the working folder, which the program runs.
    const folder = line.value('C', 'directory')
    const name = ownFiles[line.program] ?? 'Makefile'
    recorder.touch(folder === undefined ? { value: name } : { ...folder, value: `${folder.value}/${name}` }, 'execute')
  },
}

const compiler: Row = {
  options: 'o=write I L l D U x std include=read isystem MF=write MT T=read Xlinker arch march f m W? O? g?',
  effects(line, recorder) {
    for (const word of line.operands) if (/\.\w+$/.test(word.value)) recorder.touch(word, 'read')
  },
}

const buildTool: Row = {
  options:
    'S=names B=into f=read file=read p=names b=execute build-file=execute manifest-path=read target-dir=into o=write out-dir=into C toolchain features package example bin test target',
  effects: (line, recorder) => pathsAs(line, recorder, 'read'),
}

const testRunner: Row = {
  options:
    'c=read config=read rootdir=names k m n o p=none r=none reporter rcfile=read ignore=names output=write outputFile=write t testNamePattern maxfail timeout g grep',
  effects: (line, recorder) => pathsAs(line, recorder, 'execute'),
}

/** Programs that build, bundle and test. */
export const builds: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    'make gmake bmake remake': {
      ...builder,
      starts: startRecipes,
      runsStdin: (line) => line.values('f', 'file', 'makefile').some(({ value }) => value === '-'),
    },
    just: {
      ...builder,
      starts(line, starts, { args }) {
        const at = args.findIndex(({ value }) => value === '--command' || value === '-c')
        if (at !== -1 && !line.has('help', 'version')) starts.words(args.slice(at + 1))
      },
    },
    'task samu': builder,
    ninja: { ...builder, obeys: { files: /^build\.ninja$/ } },
    // Runs the scripts in its file, which may be stdin.
    logrotate: { options: 's=edit state=edit l=append log=append', operands: 'execute' },
    cargo: {
      ...buildTool,
      obeys: {
        when: /(?:^| )(?:build|b|run|r|test|t|check|c|bench|install|clippy|doc)\b/,
        files: /^(?:Cargo\.toml|build\.rs)$/,
      },
      // `+stable` chooses a toolchain.
      words: ({ args }) => args.filter(({ value }, at) => at > 0 || !value.startsWith('+')),
      subcommands: {
        'add, install, fetch, update, publish, yank, owner, binstall': {
          options:
            'git branch tag rev path registry index features F target p package version vers root manifest-path profile config Z j jobs rename a add r remove token',
        },
        watch: {
          options: 's=script shell=script x exec w watch i ignore d delay C workdir',
          starts: { dashes: true },
        },
      },
    },
    bazel: {
      ...buildTool,
      obeys: { when: /^(?:run|build|test)\b/, files: /^(?:BUILD|WORKSPACE|MODULE)(?:\.bazel)?$/ },
    },
    ant: { ...buildTool, obeys: { files: /^build\.xml$/ } },
    'gradle gradlew': { ...buildTool, obeys: { files: /^(?:build|settings)\.gradle(?:\.kts)?$/ } },
    'mvn mvnw': { ...buildTool, obeys: { files: /^pom\.xml$/ } },
    'meson buck scons waf rake sbt lein mix stack cabal rustc xcodebuild swiftc': buildTool,
    cmake: {
      ...buildTool,
      obeys: { files: /^CMakeLists\.txt$/ },
      starts(_, starts, { args, cwd }) {
        const at = args.findIndex(({ value }) => value === '-E')
        const [verb, ...others] = at === -1 ? [] : args.slice(at + 1)
        const { assignments, rest } = assignmentsBefore(verb?.value === 'env' ? others.filter(isNoOption) : [])
        if (verb?.value === 'time' && others.length > 0) starts.words(others)
        else if (verb?.value === 'remove_directory') starts.words([known('rm'), known('-rf'), ...others])
        else if (verb?.value === 'rm' || verb?.value === 'remove') starts.words([known('rm'), ...others])
        else if (verb?.value === 'chdir' && others.length > 1)
          starts.words(others.slice(1), { cwd: folderFrom(cwd, others[0] ?? unknownWord) })
        else if (rest.length > 0) {
          starts.wrapper()
          starts.words(withoutDashes(rest), { assignments })
        }
      },
    },
    'gcc g++': {
      ...compiler,
      starts(_, starts, { args }) {
        const at = args.findIndex(({ value }) => value === '-wrapper')
        const wrapper = at === -1 ? undefined : args[at + 1]
        if (wrapper !== undefined) starts.words(splitWords(wrapper.value.replaceAll(',', ' ')))
      },
    },
    'cc c++ clang clang++ tcc ld ld.lld gold as nasm yasm gfortran nvcc emcc zig': compiler,
    strip: { options: 'o=write R K N F', operands: 'edit' },
    patchelf: {
      options: 'set-interpreter set-rpath add-needed remove-needed replace-needed output=write set-soname add-rpath',
      operands: 'edit',
    },
    upx: { options: 'o=write', operands: 'edit' },
    'objcopy llvm-objcopy': {
      options: 'I O B j R K N L W add-section dump-section update-section set-section-flags',
      first: 'read',
      operands: 'write',
    },
    'objdump nm readelf ldd size addr2line otool dumpbin c++filt': { options: 'd? j s? x? M', operands: 'read' },
    'tsc javac kotlinc scalac erlc': {
      options: 'd=into outdir=into p=read project=read cp=read classpath=read out=write sourcepath=read target module',
      operands: 'read',
      oneDash: true,
    },
    'webpack rollup esbuild vite parcel swc babel browserify terser uglifyjs sass lessc postcss': {
      options:
        'o=write output=write outfile=write outdir=into d=into c=execute config=execute output-path=into out-dir=into out-file=write plugin=execute load-path=names',
      effects: (line, recorder) => pathsAs(line, recorder, 'read'),
    },
    'pytest tox nox': {
      ...testRunner,
      obeys: { looks: 'collect-only', files: /^(?:conftest\.py|pytest\.ini|setup\.cfg|tox\.ini|noxfile\.py)$/ },
    },
    'jest vitest mocha ava tap phpunit rspec cucumber behave playwright cypress': testRunner,
  },
}

const isNoOption = ({ value }: ShellWord): boolean => !/^--(?:unset|modify)=/.test(value)

const ownFiles: Readonly<Record<string, string>> = {
  just: 'justfile',
  task: 'Taskfile.yml',
  ninja: 'build.ninja',
  samu: 'build.ninja',
}

function pathsAs(line: Line, recorder: EffectRecorder, role: 'read' | 'write' | 'execute'): void {
  for (const word of line.operands) if (looksLikePath(word.value)) recorder.touch(behind(word, 0), role)
}

/** Starts the recipes of make: with `-f -` the makefile is on stdin, with `--eval` on the command line. */
function startRecipes(read: Line, starts: Starts, { args, stdin }: ShellCommand): void {
  if (read.has('help', 'h', 'version', 'v')) return
  // Also without running recipes, make runs what its files call as they are read.
  const isDry = read.surely('n', 'just-print', 'dry-run', 'recon', 'q', 'question')
  const files = read.values('f', 'file', 'makefile')
  const texts = [...read.values('eval', 'E')]
  if (stdin !== undefined && files.some(({ value }) => value === '-' || value === '/dev/stdin')) texts.push(stdin)
  // Of a file that the line has written, `made.ts` starts what it mentions.
  for (const file of files) {
    const content = file.value.startsWith('/dev/fd/') ? starts.content(file) : undefined
    if (content !== undefined) texts.push(content)
  }
  for (const { value } of texts) {
    for (const line of value.replaceAll(/\\\n\t?/g, ' ').split('\n')) {
      const recipe = /^\t[@+-]*(.+)$/.exec(line)?.[1] ?? /^[^\s:=#][^:=]*:[^=;]*;\s*[@+-]*(.+)$/.exec(line)?.[1]
      if (recipe !== undefined && !isDry) starts.script(recipeText(recipe))
    }
  }
  for (const { value } of isDry ? texts : texts.filter((text) => text === stdin).concat(args)) shellCalls(value, starts)
  if (isDry) return
  const shell = args.find(({ value }) => value.startsWith('SHELL='))
  if (shell !== undefined) starts.words([known(shell.value.slice('SHELL='.length)), known('-c'), unknownWord])
}

/** Converts a recipe to a shell script: make's own variables are unknown, and `$$` is the shell's `$`. */
function recipeText(recipe: string): ShellWord {
  const value = recipe.replaceAll(/\$(?:\$|\([^()]*\)|\{[^{}]*\}|.)/g, (found) => (found === '$$' ? '$' : unknownPart))
  return value.includes(unknownPart) ? { value, unresolved: true } : { value }
}

/** Starts the scripts in `$(shell …)` and `NAME != …`, which make runs as soon as it reads them. */
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
