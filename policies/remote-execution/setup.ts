import { type ShellCommand, type ShellFacts, unknownPart } from 'hookgate/policy'

/**
 * Calls that print nothing but what a shell needs to use a program, as their manuals tell everybody to run it: variables,
 * functions, completions. By the program; the words behind it begin as one of these.
 */
const printers: Readonly<Record<string, RegExp>> = {
  'ssh-agent': /^(?:-[sc])?$/,
  keychain: /--eval\b/,
  dircolors: /^(?:-[bc]|--sh|--csh)?/,
  lesspipe: /^$/,
  direnv: /^(?:export|hook) \w+$/,
  brew: /^shellenv\b/,
  pyenv: /^(?:init|virtualenv-init)\b/,
  rbenv: /^init\b/,
  nodenv: /^init\b/,
  goenv: /^init\b/,
  jenv: /^init\b/,
  plenv: /^init\b/,
  phpenv: /^init\b/,
  fnm: /^(?:env|completions)\b/,
  mise: /^(?:activate|env|hook-env)\b/,
  rtx: /^(?:activate|env)\b/,
  conda: /^shell\.\w+ (?:hook|activate)\b/,
  mamba: /^shell hook\b/,
  micromamba: /^shell (?:hook|activate)\b/,
  opam: /^(?:env|config env)\b/,
  luarocks: /^path\b/,
  poetry: /^env activate$/,
  zoxide: /^init\b/,
  starship: /^init\b/,
  atuin: /^init\b/,
  thefuck: /^--alias\b/,
  minikube: /^(?:-p \S+ )?(?:docker-env|podman-env|completion)\b/,
  'docker-machine': /^env\b/,
  kubectl: /^completion \w+$/,
  helm: /^completion \w+$/,
  kind: /^completion \w+$/,
  gh: /^completion\b/,
  docker: /^completion \w+$/,
  npm: /^completion$/,
  pip: /^completion\b/,
  rustup: /^completions\b/,
  uv: /^generate-shell-completion \w+$/,
  'register-python-argcomplete': /^[\w.-]+$/,
}

/** True if everything that a shell is given to run is printed by setup calls of installed programs. */
export function isSetup(shell: ShellFacts, at: number): boolean {
  const runner = shell.commands[at]
  if (runner === undefined || !/^(?:eval|source|\.)$/.test(runner.program)) return false
  const isWhole = runner.program !== 'eval' || runner.args.every(({ value }) => value === unknownPart)
  const from = shell.flows.filter(({ to }) => to === at)
  return (
    isWhole &&
    runner.args.length === 1 &&
    from.length > 0 &&
    from.every((flow) => {
      const printer = shell.commands[flow.from]
      return printer !== undefined && printsSetup(printer)
    })
  )
}

/** A helper of a skill or plugin that an agent has, which prints the variables that the skill's next lines use. */
const ofSkill =
  /\/\.(?:claude|codex|cursor|gemini|agents)\/(?:skills|plugins)\/(?:[\w-]+\/){1,8}(?:bin|scripts)\/[\w-]+$/

function printsSetup({ program, written, args, assignments, elsewhere }: ShellCommand): boolean {
  if (args.length === 0 && elsewhere !== true && ofSkill.test(written?.value ?? '')) return true
  if (!Object.hasOwn(printers, program) || elsewhere === true) return false
  const isInstalled = /^(?:\/(?:usr|opt|home\/linuxbrew)\/(?:[\w.-]+\/)*)?[\w-]+$/.test(written?.value ?? '')
  return (
    isInstalled &&
    assignments.length === 0 &&
    args.every((word) => word.unresolved !== true && word.several !== true) &&
    printers[program]?.test(args.map(({ value }) => value).join(' ')) === true
  )
}
