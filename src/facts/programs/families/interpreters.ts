import { makesVersions, liveByVerbs, codeStage, taskStage } from '../deeds/deeds.ts'
import { manager, removal } from '../deeds/packages.ts'
import {
  artisanSaysBehind,
  symfonySaysBehind,
  artisanDeny,
  symfonyDeny,
  artisanAsk,
  symfonyAsk,
  symfonyHarmless,
} from './migrations/php.ts'
import { bunCommands, lostNodeChecks, packageFileObeyed, startsTool } from './node-packages.ts'
import { emptyingScript } from './disks.ts'
import { go } from './go.ts'
import { servesByName, servesFiles } from './network.ts'
import type { Family } from '../program.ts'
import type { CodeLanguage, ShellCommand, ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { perlFilter } from '../filters.ts'
import { looksLikePath, roleBehind, joined, known, names } from '../words.ts'
import { packageRunner, programOf } from './packages.ts'
import { startAppleScript } from './macos.ts'
import type { Line, Row } from '../row.ts'
import type { Starts } from '../starts.ts'

/** The options of an interpreter that carry code (`code`), and those with which it runs none (`idle`). */
interface CodeOptions {
  readonly language: CodeLanguage
  readonly code: string
  readonly idle?: string
}

/** Makes the row of a program that runs code from a file, its command line or stdin. */
function interpreter({ language, code, idle = '' }: CodeOptions, row: Row): Row {
  const [codeOptions, idleOptions] = [names(code), names(`help version ${idle}`)]
  return {
    output: 'parts',
    effects: touchScript(codeOptions),
    operandsLast: true,
    ...row,
    starts(line, starts, command) {
      if (line.has(...idleOptions)) starts.wrapper()
      else startCode(language, line.values(...codeOptions), line, starts, command)
    },
  }
}

export function startCode(
  language: CodeLanguage,
  code: readonly ShellWord[],
  { operands }: Line,
  starts: Starts,
  { stdin }: ShellCommand,
): void {
  if (code.length > 0) return starts.code(language, joined(code, '\n'), { parameters: operands })
  const [first, ...others] = operands
  const isStdin = first === undefined || first.value === '-'
  const content = isStdin ? stdin : starts.content(first)
  const where = { parameters: others, ...(isStdin && { stdin: 'none' as const }) }
  if (content !== undefined) starts.code(language, content, where)
}

/**
 * Records the script, which is the first operand unless an option has the code; the others are the script's arguments.
 */
export function touchScript(codeOptions: readonly string[]): NonNullable<Row['effects']> {
  return (line, recorder) => {
    const own = line.has(...codeOptions) ? 0 : 1
    if (own === 1) recorder.touch(line.operands[0], 'execute')
    for (const [at, word] of line.operands.entries())
      if (at >= own && looksLikePath(word.value)) recorder.touch(word, roleBehind(line.operands[at - 1]))
  }
}

/** Records the files that inline code processes line by line: `perl -pi -e`, `ruby -ne`. */
function touchLines(line: Line, recorder: EffectRecorder): void {
  const inline = line.has('e', 'E')
  const role = line.has('i') ? 'edit' : 'read'
  if (!inline) recorder.touch(line.operands[0], 'execute')
  const loops = line.has('n', 'p')
  for (const word of inline ? line.operands : line.operands.slice(1))
    if (loops || looksLikePath(word.value)) recorder.touch(word, role)
}

const bundlerOptions =
  'c=read config=read import-map=read env-file=variables preload=execute r=execute cwd=names outdir=into outfile=write o=write output=write'

const startBunTool = startsTool(bunCommands)

const javaLauncher: Row = {
  options:
    'cp=read classpath=read class-path=read jar=execute javaagent?=execute p=read module-path=read m module agentpath?=execute',
  oneDash: true,
  operandsLast: true,
  effects(line, recorder) {
    const [first] = line.operands
    if (first?.value.endsWith('.java') === true) recorder.touch(first, 'execute')
  },
}

const typescript = interpreter(
  { language: 'javascript', code: 'e eval p print', idle: 'h v' },
  {
    options:
      'e eval p print r=execute require=execute import=execute P=read project=read tsconfig=read env-file=variables',
    wholeNames: true,
  },
)

const javascript = interpreter(
  { language: 'javascript', code: 'e eval p print', idle: 'h v c check' },
  {
    options:
      'e eval p print r=execute require=execute import=execute loader=execute experimental-loader=execute env-file=variables env-file-if-exists=read C conditions input-type title max-old-space-size test-name-pattern test-reporter inspect? inspect-brk? stack-trace-limit inspect-port icu-data-dir openssl-config redirect-warnings disable-warning es-module-specifier-resolution',
    wholeNames: true,
    shortHelp: true,
    // `-pe CODE` is `-p CODE`: one piece of code.
    words: ({ args }) => args.map((word) => (/^-[ep]{2}$/.test(word.value) ? known('-p') : word)),
  },
)

/** Interpreters. The effects of the code itself are found by the scanner of its language. */
export const interpreters: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'language' },
  programs: {
    node: {
      shared: true,
      ...javascript,
      does: [
        {
          area: 'migrations',
          kind: 'delete',
          never: ['ace migration:reset|migration:refresh|migration:fresh|db:wipe|db:truncate'],
          runsAnything: true,
        },
        codeStage,
      ],
      looks: '--version|-v|--help|-h [] ..0; -c|--check []',
      runsJavascript: true,
      opensSockets: true,
    },
    nodejs: { ...javascript, runsJavascript: true, opensSockets: true },
    'tsx ts-node': {
      ...typescript,
      does: codeStage,
      runsJavascript: true,
      opensSockets: true,
    },
    'ts-node-esm babel-node esno jiti swc-node': typescript,
    'qjs llrt': interpreter({ language: 'javascript', code: 'e eval', idle: 'h q' }, { options: 'e eval I include' }),
    bun: {
      triesPublishing: true,
      shared: true,
      tasks: true,
      obeys: packageFileObeyed,
      runsStdin: ({ operands }) => operands.at(-1)?.value === '-',
      options: `${bundlerOptions} e eval p print`,
      wholeNames: true, // Behind code, operands are its arguments.
      effects: (line, recorder) => {
        if (!line.has('e', 'eval', 'p', 'print')) touchSubcommandsFile(line, recorder)
      },
      subcommands: {
        x: packageRunner('', 'p package'),
        'add, a, install, i, create, c, publish, update, pm': { options: 'registry cwd filter c config cache-dir' },
      },
      starts(line, starts, command) {
        if (line.has('help', 'version', 'h', 'v')) return
        startCode('javascript', line.values('e', 'eval', 'p', 'print'), line, starts, command)
        const [first] = line.operands
        if (first !== undefined) startBunTool(command.args.slice(command.args.indexOf(first)), starts)
      },
      does: [
        {
          area: 'migrations',
          kind: 'delete',
          object: 'the database',
          work: ['run db:reset|db:drop|db:wipe|db:truncate|reset-db|drop-db|migrate:reset|db-reset'],
        },
        { area: 'checks', ...lostNodeChecks },
        { area: 'packages', ...manager({ installs: ['add|a|install|i'], runs: ['x|create'], publishes: ['publish'] }) },
        { area: 'programs', ...removal },
        taskStage,
        liveByVerbs(),
        makesVersions('version *', 'pm version *'),
      ],
      looks: `
    pm ls|bin|hash
    pm cache [] ..0
    outdated|why|audit|info
    pm view|whoami|why|untrusted
    -v|--revision [] ..0`,
      runsJavascript: true,
      opensSockets: true,
      startsTools: true,
    },
    deno: {
      triesPublishing: true,
      shared: true,
      tasks: true,
      runsStdin: ({ operands }) => operands.at(-1)?.value === '-',
      options: `${bundlerOptions} ext L log-level`,
      wholeNames: true,
      network: servesByName,
      effects: touchSubcommandsFile,
      subcommands: {
        'add, install, publish': {
          options: `n name root ${bundlerOptions.replaceAll(/=\w+/g, '')} ext L log-level`,
        },
        'run, x': {
          options: `n name root ${bundlerOptions.replaceAll(/=\w+/g, '')} ext L log-level`,
          operandsLast: true,
          starts({ operands: [first, ...others] }, starts) {
            if (first !== undefined && /^(?:npm|jsr):/.test(first.value)) starts.words([programOf(first), ...others])
          },
        },
        eval: {
          options: 'ext',
          operandsLast: true,
          starts({ operands: [code, ...parameters] }, starts) {
            if (code !== undefined) starts.code('javascript', code, { parameters })
          },
        },
      },
      starts(line, starts, command) {
        if (line.operands[0]?.value !== 'eval' && !line.has('help', 'version', 'h', 'V'))
          startCode('javascript', [], line, starts, command)
      },
      does: [
        { area: 'packages', ...manager({ installs: ['add|install'], runs: ['run'], publishes: ['publish'] }) },
        taskStage,
      ],
      looks: {
        options: 'config c import-map lock +q +quiet',
        never: '--lock-write',
        lines: `
      version|types|help|completions|info
      doc !--html|--output|--name
      lint !--fix|--rules-plugins|--compact
      fmt --check
      outdated !-u|--update|-i|--interactive
      task [--quiet] ..0`,
      },
      runsJavascript: true,
      opensSockets: true,
    },
    'tjs txiki': {
      subcommands: {
        eval: {
          operandsLast: true,
          starts({ operands: [code, ...parameters] }, starts) {
            if (code !== undefined) starts.code('javascript', code, { parameters })
          },
        },
      },
    },
    perl: {
      text: 'perl',
      shared: true,
      ...interpreter(
        { language: 'perl', code: 'e E', idle: 'h v V c' },
        { options: 'e E i? I=names M m F? 0# l# C# D? x? d?', effects: touchLines, filter: perlFilter },
      ),
      does: codeStage,
      looks: '--version|-v|-V [] ..0',
      opensSockets: true,
      scripted: true,
    },
    ruby: {
      shared: true,
      ...interpreter(
        { language: 'ruby', code: 'e', idle: 'h' },
        {
          options:
            'e i? I=names r=execute require=execute C=names F? E encoding external-encoding internal-encoding 0# K? W# T# x?',
          network: servesByName,
          effects: touchLines,
        },
      ),
      does: codeStage,
      looks: '--version|-v|--copyright [] ..0; -c [-w] 1..',
      opensSockets: true,
      scripted: true,
    },
    'jruby truffleruby rbx irb pry': interpreter(
      { language: 'ruby', code: 'e', idle: 'h' },
      {
        options:
          'e i? I=names r=execute require=execute C=names F? E encoding external-encoding internal-encoding 0# K? W# T# x?',
        effects: touchLines,
      },
    ),
    php: {
      shared: true,
      ...interpreter(
        { language: 'php', code: 'r B R E run process-begin process-code process-end', idle: 'h v i m l' },
        {
          options:
            'r run f=execute file=execute B process-begin R process-code F=execute process-file=execute E process-end c=read php-ini=read d define z=execute zend-extension=execute S server t=names docroot=names',
          network: (line) => (line.has('S', 'server') ? servesFiles : undefined),
          effects(line, recorder) {
            if (!line.has('r', 'run', 'f', 'file', 'R', 'B')) recorder.touch(line.operands[0], 'execute')
          },
        },
      ),
      does: [
        {
          area: 'migrations',
          says: { ...artisanSaysBehind, ...symfonySaysBehind },
          never: [
            ...artisanDeny.map((one) => `artisan ${one}`),
            ...symfonyDeny.map((one) => `bin/console|console|app/console ${one}`),
          ],
          work: [
            ...artisanAsk.map((one) => `artisan ${one}`),
            ...symfonyAsk.map((one) => `bin/console|console|app/console ${one}`),
          ],
          harmless: symfonyHarmless.map((one) => `bin/console|console|app/console ${one}`),
          valued: 'e env',
          trials: 'pretend',
          runsAnything: true,
        },
        codeStage,
        liveByVerbs('upload', 'deploy'),
      ],
      looks: `
    --version|-v|-m|--ini|--modules [] ..0
    -l|--syntax-check [] ..1
    --rf|--rc|--re|--ri [--rf=|--rc=|--re=|--ri=]`,
      opensSockets: true,
    },
    hhvm: interpreter(
      { language: 'php', code: 'r B R E run process-begin process-code process-end', idle: 'h v i m l' },
      {
        options:
          'r run f=execute file=execute B process-begin R process-code F=execute process-file=execute E process-end c=read php-ini=read d define z=execute zend-extension=execute S server t=names docroot=names',
        network: (line) => (line.has('S', 'server') ? servesFiles : undefined),
        effects(line, recorder) {
          if (!line.has('r', 'run', 'f', 'file', 'R', 'B')) recorder.touch(line.operands[0], 'execute')
        },
      },
    ),
    lua: {
      ...interpreter({ language: 'lua', code: 'e', idle: 'v' }, { options: 'e l j b' }),
      looks: '-v [] ..0',
      opensSockets: true,
    },
    'luajit texlua': interpreter({ language: 'lua', code: 'e', idle: 'v' }, { options: 'e l j b' }),
    'rscript littler': interpreter({ language: 'r', code: 'e eval' }, { options: 'e eval f file g gui d debugger' }),
    r: interpreter(
      { language: 'r', code: 'e eval' },
      {
        options: 'e eval f=execute file=execute g gui d debugger',
        effects(line, recorder) {
          for (const word of line.operands) if (looksLikePath(word.value)) recorder.touch(word, 'read')
        },
      },
    ),
    julia: interpreter(
      { language: 'julia', code: 'e eval E print', idle: 'h v' },
      {
        options:
          'e eval E print L=execute load=execute p procs t threads project J=read sysimage=read H home C cpu-target machine-file m module',
      },
    ),
    osascript: {
      options: 'e l s',
      operandsLast: true,
      effects: touchScript(['e']),
      starts: startAppleScript,
      does: {
        area: 'trash',
        never: [''],
        when: ({ args, command: { stdin } }) =>
          emptyingScript.test([...args, ...(stdin === undefined ? [] : [stdin])].map(({ value }) => value).join(' ')),
      },
    },
    java: { runsJars: true, shared: true, ...javaLauncher, looks: { oneDash: true, lines: '--version|--help [] ..0' } },
    javaw: javaLauncher,
    dotnet: {
      operandsLast: true,
      effects: (line, recorder) => firstFile(line, recorder),
      starts: startCleaning,
      subcommands: {
        'add, tool, package, new, nuget': {
          options: 'v version s source f framework add-source configfile k api-key n name tool-path project',
        },
      },
      does: [
        {
          area: 'migrations',
          says: {
            'ef database drop': { kind: 'delete', object: 'the database', trial: '--dry-run' },
            'ef database update 0': { kind: 'rollback' },
            'ef database': { kind: 'change' },
            'ef migrations': { kind: 'delete', thing: 'code', object: 'the last migration of the project' },
          },
          never: ['ef database drop', 'ef database update 0'],
          work: ['ef migrations remove', 'ef database update'],
        },
        {
          area: 'code-hosting',
          kind: 'withdraw',
          object: 'package',
          thing: 'package',
          names: 'first',
          never: ['nuget delete'],
        },
        {
          area: 'packages',
          ...manager({
            installs: ['add|package package|add', 'tool|new install'],
            publishes: ['nuget push'],
            sources: ['nuget add source'],
          }),
        },
        liveByVerbs('upload', 'deploy'),
      ],
      looks: `
    list|--info|--list-sdks|--list-runtimes|--version
    sln list
    sln * list
    format --verify-no-changes !--report|--binarylog
    nuget list
    sdk check
    tool list
    workload list
    --info|--list-sdks|--list-runtimes|--version []`,
    },
    'mono wine msbuild': {
      operandsLast: true,
      effects: (line, recorder) => firstFile(line, recorder),
      starts: startCleaning,
    },
    go,
  },
}

function firstFile(line: Line, recorder: EffectRecorder): void {
  const [first] = line.operands
  if (first !== undefined && (looksLikePath(first.value) || /\.(?:dll|exe)$/i.test(first.value)))
    recorder.touch(first, 'execute')
}

/** Records the script of `deno run f` and `bun f`, where `run` is optional. */
function touchSubcommandsFile(line: Line, recorder: EffectRecorder): void {
  const [first, second] = line.operands
  if (first === undefined) return
  if (first.value === 'run' || first.value === 'test')
    recorder.touch(second !== undefined && isFile(second.value) ? second : undefined, 'execute')
  else if (isFile(first.value)) recorder.touch(first, 'execute')
}
const isFile = (value: string): boolean => /[/.]/.test(value) && !/^https?:/.test(value)

/** Starts what MSBuild's target `Clean` does to a folder of output that is outside of the project's own: it empties it. */
function startCleaning(_: Line, starts: Starts, { args }: ShellCommand): void {
  if (!args.some(({ value }) => /^(?:[-/]t(?:arget)?:(?:[^;]*;)*)?clean$/i.test(value))) return
  for (const { value } of args) {
    const [, folder] = /^[-/]p(?:roperty)?:(?:OutDir|OutputPath)=([~/].*)$/i.exec(value) ?? []
    if (folder !== undefined) starts.words([known('rm'), known('-rf'), known(folder)])
  }
}
