import { makesVersions, liveBy, liveByVerbs, type Deeds, written, taskStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'
import { type Line, type Row, optionsOf, type Obeys, type CommandView, setup, verbs } from '../row.ts'
import { packageRunner, programOf, shellExec } from './packages.ts'
import { names, changed, known, joined } from '../words.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import { startLines } from './parallel.ts'
import type { Starts } from '../starts.ts'
import { readPrepared, wholeAmong } from '../../../words/options.ts'
import { hooks } from './checkers.ts'
import { type Manager, plainManager, manager, removal } from '../deeds/packages.ts'
import { pnpmMigrations } from './migrations.ts'
import { enters, type Judge } from '../looks/look.ts'

const nodeOptions =
  'prefix=names C=names dir=names w workspace registry userconfig=read globalconfig=read cache=names cwd=names loglevel otp tag access filter F'
const nodeVerbs =
  'prefix C dir w workspace registry userconfig globalconfig cache cwd loglevel otp tag access filter F omit include location script-shell reporter save-prefix pack-destination node-options'
const nodeManager: Row = {
  options: `${nodeOptions} p package c call`,
  wholeNames: true,
  operandsLast: true,
  subcommands: { '*': verbs(nodeVerbs) },
}
const npmOptions = optionsOf(nodeManager)
/** Long options of npm and pnpm may be cut short, so those without a value count as well. */
const npmVerbs: Row = {
  options: `${nodeVerbs} package p call c +save +save-dev +save-exact +save-optional +save-peer +save-prod +save-bundle +global +global-style +ignore-scripts +force +dry-run +json +long +yes +all +production +prefer-offline +prefer-online +offline +progress +package-lock +package-lock-only +parseable +legacy-peer-deps +install-links +include-workspace-root +workspaces +foreground-scripts +fund +audit +provenance +frozen-lockfile +workspace-root +recursive +lockfile-only`,
}

/** An installation runs the scripts of the project, and what its settings name. */
export const packageFileObeyed: Obeys = {
  when: /^(?:i|ci|install|add|update)?(?= |$)/,
  looks: 'ignore-scripts',
  files: /^(?:package\.json|\.pnpmfile\.cjs|\.yarnrc\.yml)$/,
}

/** All commands of npm and their aliases. Each may be cut short as long as no other begins so. */
const npmCommands = names(
  'access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund get help help-search init install install-ci-test install-scripts install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search set shrinkwrap stage star stars start stop team test token trust undeprecate uninstall unpublish unstar update version view whoami author home issues info show find add unlink remove rm r un rb list ln create i it cit u up c s se tst t ddp v run-script clean-install clean-install-test x why la verison ic innit in ins inst insta instal isnt isnta isntal isntall install-clean isntall-clean hlep dist-tags upgrade udpate rum sit urn ogr add-user',
)

/** Writes npm's command in full: `publish` for `publis`. */
function inFull({ args }: CommandView): readonly ShellWord[] {
  const first = readPrepared(args, npmOptions).operands[0]
  if (first === undefined || !/^[a-z-]+$/i.test(first.value)) return args
  const verb = first.value.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const whole = wholeAmong(verb, npmCommands) ?? verb
  return whole === first.value ? args : args.map((word) => (word === first ? changed(word, whole) : word))
}

/** Subcommands that write scripts into `package.json`: `npm pkg set scripts.x=…`. */
const packageFile: Row = { effects: (_, recorder) => recorder.touch(known('package.json'), 'edit') }

const npx = packageRunner(`${nodeOptions} node-options shell node-arg n`, 'p package', 'c call shell-mode')
const dlx = packageRunner('', 'p package')
const pnpmExec: Row = {
  options: 'C dir F filter resume-from',
  operandsLast: true,
  starts({ operands, has }, starts) {
    if (operands.length === 0) return
    starts.wrapper()
    if (has('c', 'shell-mode')) starts.script(joined(operands))
    else starts.words(operands)
  },
}
/** Judges `npx`, which may fetch the program that it runs, unless an option limits it to installed programs. */
const startsInstalled: Judge = ({ args, starts = 0 }) =>
  starts > 0 && /^--no(?:-install)?$/.test(args[0]?.value ?? '') && args[1]?.value.startsWith('-') === false

const yarnCommands =
  'access add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry global help import info init install licenses link list login logout node npm outdated owner pack patch patch-commit pkg plugin policies prune publish rebuild remove run search set set-script stage start tag team test unlink unplug up upgrade upgrade-interactive version versions why workspaces'
const pnpmCommands =
  'add approve-builds audit bin bugs c cache cat-file cat-index ci config create dedupe deploy dist-tag dlx docs doctor edit env exe exec fetch find-hash get help i ignored-builds import init install install-test it la licenses link list ll ln login logout ls m multi node outdated owner pack patch patch-commit patch-remove ping pkg prefix prune publish rb rebuild recursive remove restart rm root run run-script runtime search self-update server set set-script setup start stop store t test tst un uninstall unlink unpublish up update upgrade version view whoami why x'
/** Commands of bun, of which all other words name a script or a program of the project. */
export const bunCommands =
  'a add audit build c create discord exec feedback getcompletes help i info init install link list outdated patch patch-commit pm publish remove repl rm run test uninstall unlink update upgrade why x'

/**
 * Makes the function that starts the program that a manager of packages runs for a word that is no command of its own:
 * `yarn eslint src`.
 */
export function startsTool(own: string): (words: readonly ShellWord[], starts: Starts) => void {
  const commands = new Set(names(own))
  return function startTool(words, starts) {
    const [first] = words
    if (first?.value === 'workspace') startTool(words.slice(2), starts)
    else if (first !== undefined && !commands.has(first.value) && starts.areProgram(words)) starts.words(words)
  }
}
const startYarnTool = startsTool(yarnCommands)
const startPnpmTool = startsTool(pnpmCommands)

/** The commands of Rush, the builder of projects. */
const rushCommands =
  /^(?:add|alert|bridge-package|build|change|check|deploy|init(?:-\w+)?|install(?:-\w+)?|link(?:-package)?|list|publish|purge|rebuild|remove|scan|setup|unlink|update(?:-[\w-]+)?|upgrade-interactive|version)$/
/** The options of rush, the runner: it runs its command for each line of its input. */
const runnerOptions = optionsOf({
  options:
    'v assign d field-delimiter i infile j jobs n nrecords o out-file D record-delimiter J records-join-sep r retries retry-interval t timeout T trim C succ-cmd-file cleanup-time',
  wholeNames: true,
})

/** Starts the command of rush, the runner: it has blanks or marks such as `{}`, or is given input. A task has none of these. */
function startRush(_: Line, starts: Starts, { args, stdin }: ShellCommand): void {
  const { operands, has, surely, values } = readPrepared(args, runnerOptions)
  const first = operands[0]?.value ?? ''
  const isTask = rushCommands.test(first) || (stdin === undefined && !/\s/.test(first) && !has('i', 'infile'))
  if (first === '' || (isTask && !operands.some(({ value }) => value.includes('{')))) return
  if (surely('dry-run', 'help', 'h', 'V', 'version')) return starts.wrapper()
  startLines(operands, has('i', 'infile') ? undefined : stdin, starts, 1, values('v', 'assign'))
}

/** Scripts of a package that are checks, as `npm pkg` names them. */
const deletedCheck =
  /^pkg delete .*(?:\bscripts\.(?:prepare|pre\w+|test|lint|typecheck|check)\b|\b(?:husky|lint-staged|simple-git-hooks)\b)/
const emptiedCheck =
  /^pkg set scripts\.(?:prepare|pre\w+|test|lint|type-?check|check)[\w:-]*=(?:true|exit 0|:|echo\b[^&;|]*)?$/

const managers = /\b(?:husky|lefthook|pre-commit|simple-git-hooks|lint-staged)\b/

export const lostNodeChecks: Deeds = {
  also: [
    { ...hooks, work: ['uninstall|remove|rm|un|r *'], when: written(managers) },
    {
      kind: 'weaken',
      object: 'check',
      names: 'first',
      work: ['pkg delete|set'],
      when: (call, line, shell) => written(deletedCheck)(call, line, shell) || written(emptiedCheck)(call, line, shell),
    },
  ],
}

const npmCodeHosting: Deeds = {
  shows: {
    'token create': { object: 'npm token', names: 'none' },
    'config|c get //*': { object: 'npm token', names: 'none' },
  },
  says: {
    unpublish: { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
    deprecate: { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
    'owner|access': { kind: 'revoke', object: 'the rights of', thing: 'package', names: 'first' },
    'org|team rm': { kind: 'revoke', object: 'the membership in', thing: 'account', names: 'first' },
    token: { kind: 'revoke', object: 'token', thing: 'secret' },
    'dist-tag': { kind: 'delete', object: 'tag of', thing: 'package', names: 'first' },
    hook: { kind: 'delete', object: 'hook', thing: 'package' },
    trust: { kind: 'revoke', object: 'the trust of', thing: 'package', names: 'first' },
  },
  never: [
    'unpublish',
    'deprecate',
    'owner rm',
    'access revoke|remove',
    'org rm',
    'team destroy|rm',
    'token revoke|delete',
    'dist-tag rm|remove',
    'hook rm',
    'trust revoke',
  ],
}

const npmLike: Manager = {
  installs: ['install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|install-test|it'],
  restores: ['ci|clean-install|ic|update|up|upgrade|rebuild|dedupe|fetch'],
  runs: ['exec|x|dlx|create|init|innit'],
  publishes: ['publish'],
  grants: ['owner add', 'dist-tag|dist-tags add', 'access grant|set|public|restricted|2fa-required|2fa-not-required'],
  configures: ['config|c set|edit', 'set'],
}
/** Managers of packages for Node.js, and the programs that run scripts of a project or a package. */
export const nodePackages: Family = {
  area: 'packages',
  rows: { obeysFolder: true, codeOnStdin: 'settings' },
  programs: {
    npx: {
      shared: true,
      ...nodeManager,
      ...npx,
      subcommands: {},
      does: [
        plainManager({ runs: ['* !--no-install|--no', '-p|--package|--from !--no-install|--no'] }),
        liveByVerbs('publish', 'upload'),
      ],
      looks: ['--version []', startsInstalled],
      noHelp: true,
    },
    'pnpx pnx nlx': {
      ...nodeManager,
      ...npx,
      subcommands: {},
      does: [plainManager({ runs: ['*', '-p|--package|--from'] }), liveByVerbs('publish', 'upload')],
    },
    dx: { startsTools: true },
    bunx: {
      ...nodeManager,
      ...dlx,
      subcommands: {},
      does: [plainManager({ runs: ['*', '-p|--package|--from'] }), liveByVerbs('publish', 'upload')],
    },
    npm: {
      triesPublishing: true,
      printsVariables: ({ args }) => args.map(({ value }) => value).join(' ') === 'run env',
      shared: true,
      tasks: true,
      ...nodeManager,
      output: setup(/^completion$/),
      obeys: packageFileObeyed,
      words: inFull,
      subcommands: { '*': npmVerbs, 'exec, x': npx, 'pkg, set-script': packageFile },
      does: [
        {
          area: 'migrations',
          kind: 'delete',
          object: 'the database',
          work: [
            'run|run-script db:reset|db:drop|db:wipe|db:truncate|db:clean|db:nuke|db:flush|reset-db|drop-db|reset:db|drop:db|database:reset|database:drop|migrate:reset|migrate:fresh|migration:reset|db-reset|db-drop',
          ],
        },
        { area: 'code-hosting', ...npmCodeHosting },
        { area: 'checks', ...lostNodeChecks },
        manager(npmLike),
        {
          area: 'schedules',
          kind: 'change',
          object: 'the shell of every script',
          runsAnything: true,
          work: ['set script-shell|script-shell=*', 'config|c set script-shell|script-shell=*'],
        },
        { area: 'programs', ...removal },
        taskStage,
        liveByVerbs(),
        makesVersions('version *'),
      ],
      looks: {
        options: 'prefix C workspace w loglevel registry +s +silent +g +global',
        never: '--userconfig|--globalconfig|--script-shell|--node-options',
        lines: `
      ls|list|la|ll|view|info|show|v|outdated|search|s|se|find|help|help-search|bin|root|prefix|ping|whoami|stars|explain|why|fund|diff|query|sbom
      audit !--fix ..0
      audit signatures
      config|c list|ls|get
      get
      pack
      access list|get|ls-packages|ls-collaborators
      access get status
      org|team|token|profile|dist-tag|dist-tags|owner|author ls|list|get
      cache ls
      version ..0
      pkg get
      run|run-script [--list|--json|--silent] ..0
      -v|--version [] ..0`,
      },
      namesSecrets: true,
    },
    'cnpm tnpm vlt nypm': {
      ...nodeManager,
      subcommands: { '*': npmVerbs },
      does: [{ area: 'code-hosting', ...npmCodeHosting }, manager(npmLike)],
    },
    // Its `exec` fetches nothing.
    pnpm: {
      triesPublishing: true,
      shared: true,
      tasks: true,
      ...nodeManager,
      obeys: packageFileObeyed,
      starts: ({ operands }, starts) => startPnpmTool(operands, starts),
      subcommands: {
        '*': npmVerbs,
        'exec, exe': pnpmExec,
        'pkg, set-script': packageFile,
        dlx: packageRunner('', 'package'),
      },
      does: [
        { area: 'migrations', ...pnpmMigrations },
        {
          area: 'code-hosting',
          says: {
            'unpublish|deprecate': { kind: 'withdraw', object: 'package', thing: 'package', names: 'first' },
            owner: { kind: 'revoke', object: 'the rights of', thing: 'package', names: 'first' },
            'dist-tag': { kind: 'delete', object: 'tag of', thing: 'package', names: 'first' },
          },
          never: ['unpublish', 'deprecate', 'owner rm', 'dist-tag rm'],
        },
        { area: 'checks', ...lostNodeChecks },
        manager({ ...npmLike, runs: ['dlx|create'] }),
        { area: 'programs', ...removal },
        taskStage,
        liveByVerbs(),
        makesVersions('version *'),
      ],
      looks: [
        {
          options: 'C dir filter F +r +recursive +s +silent +w +workspace-root +g +global',
          lines: `
      list|ls|la|ll|why|outdated|audit|root|bin|licenses|help !--fix
      licenses list|ls
      config list|get
      view|info|show|search|whoami|ping|cat-file|cat-index|find-hash
      store path|status
      cache list|list-registries|view
      -v|--version [] ..0`,
        },
        enters('exec'),
      ],
      startsTools: true,
      namesSecrets: true,
    },
    yarn: {
      shared: true,
      tasks: true,
      ...nodeManager,
      obeys: packageFileObeyed,
      starts: ({ operands }, starts) => startYarnTool(operands, starts),
      subcommands: {
        ...nodeManager.subcommands,
        exec: shellExec,
        'pkg, set-script': packageFile,
        dlx,
        pack: { options: 'f filename o out' },
      },
      does: [
        { area: 'migrations', ...pnpmMigrations },
        {
          area: 'code-hosting',
          says: {
            owner: { kind: 'revoke', object: 'the rights of', thing: 'package', names: 'last' },
            'npm|tag': { kind: 'delete', object: 'tag of', thing: 'package', names: 'first' },
          },
          never: ['owner remove', 'npm tag remove', 'tag remove', 'team destroy|remove'],
        },
        { area: 'checks', ...lostNodeChecks },
        manager({
          ...npmLike,
          installs: ['add', 'global add', 'import'],
          restores: ['install|up|upgrade'],
          runs: ['dlx|create'],
          publishes: ['publish', 'npm publish'],
        }),
        { area: 'programs', ...removal },
        taskStage,
        liveByVerbs(),
        makesVersions('version *'),
      ],
      looks: {
        options: 'cwd +s +silent',
        lines: `
      list|info|why|outdated|audit|bin|versions|help
      licenses ..0
      licenses list|ls
      config list|get
      config [] ..0
      workspaces list|info
      cache list|dir
      global list|dir|bin
      owner|tag|team list
      npm info|audit|whoami
      npm tag list
      plugin list|runtime
      explain
      -v|--version [] ..0`,
      },
      startsTools: true,
      namesSecrets: true,
    },
    yarnpkg: {
      does: manager({
        ...npmLike,
        installs: ['add', 'global add', 'import'],
        restores: ['install|up|upgrade'],
        runs: ['dlx|create'],
        publishes: ['publish', 'npm publish'],
      }),
    },
    lerna: {
      triesPublishing: true,
      tasks: true,
      ...nodeManager,
      does: [
        manager({ installs: ['add'], publishes: ['publish'] }),
        taskStage,
        liveBy(/^(?:version (?!.*--no-push)|publish\b)/),
      ],
    },
    nx: { tasks: true, ...nodeManager, does: [taskStage, liveBy(/^release(?! (?:version|changelog|plan))\b/)] },
    turbo: { tasks: true, ...nodeManager, does: [taskStage, liveByVerbs('publish', 'upload')] },
    // `corepack pnpm add x` starts pnpm, `corepack enable` nothing.
    corepack: {
      ...nodeManager,
      starts({ operands: [first, ...others] }, starts) {
        if (first !== undefined && /^(?:npm|npx|pnpm|pnpx|yarn)(?:@|$)/.test(first.value))
          starts.words([programOf(first), ...others])
      },
      looks: '--version []',
    },
    // Also the name of a shell, and of a runner of commands.
    rush: {
      tasks: true,
      ...nodeManager,
      options: `${nodeOptions} p package c=script call`,
      starts: startRush,
      does: taskStage,
    },
    jsr: { triesPublishing: true, does: manager({ installs: ['add|install|i'], publishes: ['publish'] }) },
  },
  examples: {
    'npm uninstall -g prettier': 'deletes package `prettier`',
    'npm install left-pad': 'installs package `left-pad`',
    'npm ci': 'installs what the project declares',
    'npm install --save-dev a @b/c@1.2.3': 'installs packages `a` and `@b/c@1.2.3`',
    'npm run build': '',
    'npx -p cowsay tsc': 'runs package `cowsay`',
    'npx --no-install cowsay': '',
    'pnpm exec tsc --noEmit': '',
    'pnpm dlx cowsay': 'runs package `cowsay`',
    'npm create vite': 'runs package `create-vite`',
    'yarn npm publish': 'publishes a package',
    'npm config set registry https://a.example': 'changes setting `registry`',
  },
}
