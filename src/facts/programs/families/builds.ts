import { liveAlsoBy, liveBy, liveByVerbs, taskStage, platformStage } from '../deeds/deeds.ts'
import { behind } from '../../../words/options.ts'
import { mvnMigrations, gradleMigrations } from './migrations/others.ts'
import { startsIn } from './other-languages.ts'
import { manager, removal } from '../deeds/packages.ts'
import { rails } from './migrations.ts'
import { crateDeeds } from './code-hosting.ts'
import type { Family } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart, unknownWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath, roleBehind, splitWords, assignmentsBefore, known, withoutDashes } from '../words.ts'
import type { Line, Row } from '../row.ts'
import type { Starts } from '../starts.ts'
import { folderFrom } from '../unwrap.ts'

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

const jvmBuild: Row = {
  ...buildTool,
  options: `${buildTool.options} I=execute init-script=execute`,
  obeys: { files: /^(?:build|settings)\.gradle(?:\.kts)?$/ },
  starts: ({ values }, starts) => {
    for (const file of values('I', 'init-script')) startsIn(starts.content(file)?.value ?? '', starts)
  },
}

const makeTool: Row = {
  ...builder,
  starts: startRecipes,
  runsStdin: (line) => line.values('f', 'file', 'makefile').some(({ value }) => value === '-'),
}

const cCompiler: Row = {
  ...compiler,
  starts(_, starts, { args }) {
    const at = args.findIndex(({ value }) => value === '-wrapper')
    const wrapper = at === -1 ? undefined : args[at + 1]
    if (wrapper !== undefined) starts.words(splitWords(wrapper.value.replaceAll(',', ' ')))
  },
}

const sourceCompiler: Row = {
  options: 'd=into outdir=into p=read project=read cp=read classpath=read out=write sourcepath=read target module',
  operands: 'read',
  oneDash: true,
}

/** Their tasks say it anywhere on the line. */
const publishedByGradle = liveBy(/(?:^| |:)(?:publish(?!ToMavenLocal)[A-Z](?!oMavenLocal\b)\w*|jib(?= |$))/)
const publishedByMaven = liveBy(
  /(?:^| )(?:deploy|release:(?:perform|prepare)|(?:[\w-]+:)?jib:build|[\w-]+:deploy)(?= |$)/,
)

/** Programs that build, bundle and test. */
export const builds: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    'make bmake remake': {
      tasks: true,
      ...makeTool,
      does: [
        {
          area: 'migrations',
          says: {
            'nuke|destroy|teardown|undeploy|purge': {
              kind: 'delete',
              thing: 'infrastructure',
              object: 'what the project has set up',
            },
            '*': { kind: 'delete', object: 'the database' },
          },
          work: [
            'db-reset|db-drop|dropdb|drop-db|reset-db|resetdb|clean-db|cleandb|wipe-db|db-wipe|nuke|nuke-db|db-clean|destroy|teardown|undeploy|purge',
          ],
          valued: 'j',
        },
        { area: 'stages', ...taskStage, trials: 'n' },
        liveByVerbs(),
      ],
      looks: '--version|-v [] ..0',
    },
    just: {
      tasks: true,
      ...builder,
      starts(line, starts, { args }) {
        const at = args.findIndex(({ value }) => value === '--command' || value === '-c')
        if (at !== -1 && !line.has('help', 'version')) starts.words(args.slice(at + 1))
      },
      does: [taskStage, liveByVerbs('upload')],
      looks:
        '-l|--list|--summary|--show|-s|--dump [--unsorted|-u|--show=|-s=|-f=|--justfile=|-d=|--working-directory=|--dump-format=] ..0',
    },
    task: { tasks: true, ...builder, does: [taskStage, liveByVerbs('upload')] },
    samu: builder,
    ninja: { ...builder, obeys: { files: /^build\.ninja$/ } },
    // Runs the scripts in its file, which may be stdin.
    logrotate: { options: 's=edit state=edit l=append log=append', operands: 'execute' },
    // A toolchain may stand before its subcommand.
    cargo: {
      triesPublishing: true,
      takesToolchain: true,
      ...buildTool,
      obeys: {
        when: /(?:^| )(?:build|b|run|r|test|t|check|c|bench|install|clippy|doc)\b/,
        files: /^(?:Cargo\.toml|build\.rs)$/,
      }, // `+stable` chooses a toolchain.
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
      does: [
        { area: 'code-hosting', ...crateDeeds },
        {
          area: 'packages',
          ...manager(
            {
              installs: ['add|install'],
              restores: ['fetch|update'],
              runs: ['binstall'],
              publishes: ['publish'],
              grants: ['owner --add|-a'],
            },
            { trials: 'n' },
          ),
        },
        { area: 'programs', ...removal, valued: 'root', work: ['uninstall|remove|rm', '* uninstall|remove|rm'] },
        liveAlsoBy(/^release\b.*(?:--execute|-x)\b/),
      ],
      looks: {
        options: 'Z color C manifest-path +q +quiet +v +verbose +locked +offline +frozen',
        never: '--config|--fix',
        lines: `
      info|metadata|verify-project|check|c|clippy|fetch|tree|fmt|doc|vendor|search|help|version|pkgid|locate-project|read-manifest|update
      owner -l|--list !-a|--add|-r|--remove
      owner [] ..0
      outdated|machete !--fix
      audit !--file ..0
      deny check|list
      --list [--verbose] ..0`,
      },
      namesSecrets: true,
    },
    bazel: {
      tasks: true,
      ...buildTool,
      obeys: { when: /^(?:run|build|test)\b/, files: /^(?:BUILD|WORKSPACE|MODULE)(?:\.bazel)?$/ },
      does: taskStage,
    },
    ant: { tasks: true, ...buildTool, obeys: { files: /^build\.xml$/ }, does: taskStage },
    gradle: {
      tasks: true,
      ...jvmBuild,
      does: [
        { area: 'migrations', ...gradleMigrations },
        {
          area: 'packages',
          ...manager({ publishes: ['publish|uploadarchives|publishplugins|publishtomavencentral'] }),
        },
        taskStage,
        publishedByGradle,
      ],
      looks: 'tasks|dependencies|projects|properties|help|dependencyInsight !-I|--init-script|-b|-c|--write-locks ..0',
    },
    gradlew: {
      tasks: true,
      ...jvmBuild,
      does: [
        { area: 'migrations', ...gradleMigrations },
        {
          area: 'packages',
          ...manager({ publishes: ['publish|uploadarchives|publishplugins|publishtomavencentral'] }),
        },
        taskStage,
        publishedByGradle,
      ],
    },
    mvn: {
      tasks: true,
      ...buildTool,
      obeys: { files: /^pom\.xml$/ },
      does: [
        { area: 'migrations', ...mvnMigrations },
        { area: 'packages', ...manager({ publishes: ['deploy|deploy:deploy-file|release:perform'] }) },
        taskStage,
        publishedByMaven,
      ],
      looks: {
        oneDash: true,
        options:
          'pl projects f file P rf +q +quiet +B +batch-mode +ntp +no-transfer-progress +o +offline +am +also-make +U +e',
        lines: `
      -v|--version [] ..0
      dependency:tree|dependency:list|dependency:analyze|help:effective-pom|help:describe|help:active-profiles|versions:display-dependency-updates !--DoutputFile ..0`,
      },
    },
    'mvnw mvnd': {
      tasks: true,
      ...buildTool,
      obeys: { files: /^pom\.xml$/ },
      does: [
        { area: 'migrations', ...mvnMigrations },
        { area: 'packages', ...manager({ publishes: ['deploy|deploy:deploy-file|release:perform'] }) },
        taskStage,
        publishedByMaven,
      ],
    },
    mix: {
      ...buildTool,
      does: [
        {
          area: 'migrations',
          says: {
            'ecto.rollback': { kind: 'rollback' },
            'ecto.load': { kind: 'overwrite', object: 'the database' },
            '*': { kind: 'delete', object: 'the database' },
          },
          never: [
            'ecto.drop|ecto.reset',
            'do ecto.drop|ecto.reset',
            'do * ecto.drop|ecto.reset',
            'ash.reset|ash.tear_down|ash_postgres.drop|event_store.drop',
            'ecto.load',
          ],
          work: ['ecto.rollback'],
        },
        {
          area: 'code-hosting',
          kind: 'revoke',
          object: 'rights on packages',
          thing: 'account',
          names: 'none',
          says: {
            'hex.publish': { kind: 'withdraw', object: 'package', thing: 'package', names: 'none' },
            'hex.retire': { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
          },
          never: ['hex.publish --revert', 'hex.retire', 'hex.owner remove', 'hex.user key revoke'],
        },
        {
          area: 'packages',
          ...manager({ installs: ['archive.install|escript.install'], publishes: ['hex.publish !--revert'] }),
        },
      ],
      looks: 'help|hex.info|hex.outdated|deps.tree|app.tree; deps [] ..0; format --check-formatted',
    },
    lein: {
      tasks: true,
      ...buildTool,
      does: [
        { area: 'migrations', kind: 'rollback', work: ['migratus reset|rollback', 'ragtime rollback'] },
        taskStage,
      ],
    },
    sbt: {
      tasks: true,
      ...buildTool,
      does: [
        { area: 'migrations', kind: 'delete', object: 'everything in the schemas', work: ['flywayclean'] },
        { area: 'packages', ...manager({ publishes: ['publish|publishsigned'] }) },
        taskStage,
        liveBy(/(?:^| )(?:publish|publishSigned|ci-release)\b/),
      ],
    },
    rake: { tasks: true, ...buildTool, does: [{ area: 'migrations', ...rails }, platformStage, liveBy(/^release\b/)] },
    cabal: {
      ...buildTool,
      does: [
        { area: 'packages', ...manager({ installs: ['install'], publishes: ['upload'] }) },
        liveBy(/^upload\b.*--publish/),
      ],
      looks: 'list|info|path',
    },
    stack: { ...buildTool, looks: 'path|ls' },
    rustc: {
      takesToolchain: true,
      ...buildTool,
      looks: '--version|-V|--explain|--print [--verbose|--vV|-v|--print=|--explain=]',
    },
    xcodebuild: {
      ...buildTool,
      looks: {
        oneDash: true,
        lines:
          '--list|--version|--showsdks|--showBuildSettings|--showdestinations [--json|--project=|--workspace=|--scheme=]',
      },
    },
    'meson buck scons waf swiftc': buildTool,
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
      looks: '--version|--help|--system-information [] ..0; -N [-L|-A|-H]',
    },
    gcc: {
      ...cCompiler,
      looks: { oneDash: true, lines: '--version|-v|--dumpversion|--dumpmachine|--print-search-dirs [] ..0' },
    },
    'g++': cCompiler,
    zig: { ...compiler, looks: 'version|env|targets|zen|help [] ..0; fmt --check [--ast-check|--exclude=]; ast-check' },
    'cc c++ clang clang++ tcc ld ld.lld gold as nasm yasm gfortran nvcc emcc': compiler,
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
    'objdump nm readelf size addr2line c++filt': {
      options: 'd? j s? x? M',
      operands: 'read',
      looks: true,
      prints: true,
    },
    otool: { options: 'd? j s? x? M', operands: 'read', looks: true },
    'ldd dumpbin': { options: 'd? j s? x? M', operands: 'read' },
    tsc: {
      ...sourceCompiler,
      looks: {
        options: 'p project',
        lines: `
      --noEmit [--pretty|--skipLibCheck|--strict]
      --listFilesOnly|--showConfig|--version|-v|--help|-h|--all []`,
      },
    },
    'javac kotlinc': { ...sourceCompiler, looks: { oneDash: true, lines: '--version [] ..0' } },
    'scalac erlc': sourceCompiler,
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
  for (const [at, word] of line.operands.entries())
    if (looksLikePath(word.value))
      recorder.touch(behind(word, 0), role === 'read' ? roleBehind(line.operands[at - 1]) : role)
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
