import { onlyTries, type ShellCommand, type ShellFacts } from 'hookgate/policy'

/** A program that does what a file tells it. */
interface Obeying {
  /** Its words, with blanks between, when it does. */
  readonly acts: RegExp
  /** Options with which it only looks, besides `trials`. */
  readonly looks?: string
  /** Names of files that it reads without being told. */
  readonly own?: RegExp
}

const trials = ['dry-run', 'check', 'help']
const images: Obeying = {
  acts: /^(?:image |buildx |builder )?(?:build|bud|bake)\b|^compose\b.* (?:up|run|create|start|build)\b|^stack deploy\b/,
  own: /^(?:Dockerfile|Containerfile|(?:docker-)?compose(?:\.override)?\.ya?ml|docker-bake\.hcl)$/,
}
const cluster: Obeying = { acts: /(?:^| )(?:apply|create|replace)\b/ }
const terraform: Obeying = { acts: /(?:^| )apply\b/, own: /\.tf(?:\.json|vars)?$/ }
const packages: Obeying = {
  acts: /^(?:i|ci|install|add|update)?(?= |$)/,
  looks: 'ignore-scripts',
  own: /^(?:package\.json|\.pnpmfile\.cjs|\.yarnrc\.yml)$/,
}
const environments: Obeying = { acts: /(?:^| )(?:create|update|install)\b/, own: /^environment\.ya?ml$/ }
const nix: Obeying = { acts: /^/, own: /^(?:shell|default|flake)\.nix$/ }
const gradle: Obeying = { acts: /^/, own: /^(?:build|settings)\.gradle(?:\.kts)?$/ }
const vim: Obeying = { acts: /(?:^| )(?:-l|-S|-u|--cmd|-c) / }
const tests: Obeying = {
  acts: /^/,
  looks: 'collect-only',
  own: /^(?:conftest\.py|pytest\.ini|setup\.cfg|tox\.ini|noxfile\.py)$/,
}

const editors: Obeying = { acts: /--install-extension\b/ }

const obeying: Readonly<Record<string, Obeying>> = {
  code: editors,
  cursor: editors,
  codium: editors,
  windsurf: editors,
  git: { acts: /(?:^| )(?:apply|am)\b/, looks: 'stat numstat summary' },
  patch: { acts: /^/, looks: 'C' },
  brew: { acts: /^bundle\b(?! (?:check|list|dump|cleanup)\b)/, own: /^\.?Brewfile$/ },
  docker: images,
  podman: images,
  nerdctl: images,
  buildah: images,
  'docker-compose': { acts: /(?:^| )(?:up|run|create|start|build)\b/, ...(images.own && { own: images.own }) },
  kubectl: cluster,
  oc: cluster,
  k: cluster,
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi: { acts: /^(?:up|destroy)\b/, own: /^Pulumi\.ya?ml$/ },
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  conda: environments,
  mamba: environments,
  micromamba: environments,
  cargo: {
    acts: /(?:^| )(?:build|b|run|r|test|t|check|c|bench|install|clippy|doc)\b/,
    own: /^(?:Cargo\.toml|build\.rs)$/,
  },
  composer: { acts: /^(?:install|update|require)\b/, looks: 'no-scripts', own: /^composer\.json$/ },
  bundle: { acts: /^(?:install|update|exec)?\b/, own: /^Gemfile$/ },
  'nix-shell': nix,
  'nix-build': nix,
  nix: { ...nix, acts: /^(?:develop|run|build|shell)\b/ },
  gradle,
  gradlew: gradle,
  cmake: { acts: /^/, own: /^CMakeLists\.txt$/ },
  ninja: { acts: /^/, own: /^build\.ninja$/ },
  bazel: { acts: /^(?:run|build|test)\b/, own: /^(?:BUILD|WORKSPACE|MODULE)(?:\.bazel)?$/ },
  ant: { acts: /^/, own: /^build\.xml$/ },
  mvn: { acts: /^/, own: /^pom\.xml$/ },
  pytest: tests,
  tox: tests,
  nox: tests,
  direnv: { acts: /^(?:allow|permit|exec)\b/, own: /^\.envrc$/ },
  packer: { acts: /^(?:build|init)\b/ },
  vagrant: { acts: /^(?:up|provision|reload)\b/, own: /^Vagrantfile$/ },
  act: { acts: /^/, looks: 'l list n dryrun', own: /\/\.github\/workflows\/[^/]+\.ya?ml$/ },
  gcloud: { acts: /\bdeployments (?:create|update)\b/, looks: 'preview' },
  aws: { acts: /\b(?:deploy|create-stack|update-stack|put-bucket-policy|create-function)\b/ },
  sam: { acts: /^(?:deploy|build)\b/, own: /^template\.ya?ml$/ },
  serverless: { acts: /^deploy\b/, own: /^serverless\.(?:ya?ml|ts|js)$/ },
  nomad: { acts: /^(?:job )?run\b/ },
  vim,
  nvim: vim,
  emacs: { acts: /(?:^| )(?:-l|--load|--script|-Q)\b/ },
  nmap: { acts: /(?:^| )--script[ =]/ },
  gdb: { acts: /(?:^| )(?:-x|--command)\b/ },
  crontab: { acts: /^/, looks: 'l' },
}

const fileIn = (word: string) =>
  word
    .replace(/^-[^=]*=/, '')
    .replace(/^(?:@|file:\/\/)/, '')
    .replace(/^\.\//, '')

/** True if a word, or the value in an option, names a file. */
const isNamed = (word: string, file: string) => {
  const named = fileIn(word)
  return named === file || (named !== '' && !named.startsWith('/') && file.endsWith(`/${named}`))
}

const wordsOf = ({ args, redirections }: ShellCommand) => [
  ...args.map(({ value }) => value),
  ...redirections.flatMap(({ operator, target }) => (operator === '<' ? [target?.value ?? ''] : [])),
]

/** True if a program that was given a text on stdin does what it says. */
export function obeysStdin(command: ShellCommand): boolean {
  const words = wordsOf(command)
  if (!isObeying(command, words)) return false
  if (command.program === 'git') return !words.some((word, at) => at > 0 && /^[^-]/.test(word))
  if (command.program === 'patch') return !words.some((word) => /^(?:-i|--input)/.test(word))
  return /^(?:docker|podman|nerdctl|buildah)$/.test(command.program) && words.at(-1) === '-'
}

function isObeying(command: ShellCommand, words: readonly string[]): boolean {
  const rule = Object.hasOwn(obeying, command.program) ? obeying[command.program] : undefined
  if (rule === undefined) return false
  return rule.acts.test(words.join(' ')) && !onlyTries(command.args, ...trials, ...(rule.looks?.split(' ') ?? []))
}

/** Returns the later command that does what a downloaded file tells it, by naming the file or by finding it in its folder. */
export function obeyerOf({ commands }: ShellFacts, download: number): number | undefined {
  const files = (commands[download]?.paths ?? []).flatMap(({ access, absolute }) =>
    access === 'write' && absolute !== undefined ? [absolute] : [],
  )
  if (files.length === 0) return undefined
  const found = commands.findIndex((command, at) => {
    const words = wordsOf(command)
    if (at <= download || !isObeying(command, words)) return false
    const own = obeying[command.program]?.own
    return files.some(
      (file) =>
        words.some((word) => isNamed(word, file)) ||
        (own !== undefined &&
          file.startsWith(`${command.cwd ?? ''}/`) &&
          (own.test(file.slice(file.lastIndexOf('/') + 1)) || own.test(file))),
    )
  })
  return found === -1 ? undefined : found
}
