import { readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Unwrap } from '../unwrap.ts'
import { emptyCommand } from './empty-command.ts'
import { prefix } from './prefix.ts'
import { subcommands } from './subcommands.ts'
import { behindDashes, changed, joined, names } from './words.ts'

/**
 * Runs a package's program, fetched if need be: so it is no mere wrapper. The package's name is taken for its program's.
 */
function packaged(valued: string, packages: string, script = 'c call shell-mode'): Unwrap {
  return ({ args }, starts) => {
    const read = readOptions(args, { valued: names(`${valued} ${packages} ${script}`), operandsLast: true })
    if (read.has('help', 'h', 'version', 'v', 'V')) return
    const text = read.value(...names(script))
    if (text !== undefined && text.value !== '') {
      starts.script(text)
      return
    }
    const [first, ...others] = read.operands
    if (first !== undefined) starts.words([programOf(first), ...others])
  }
}

/** `rimraf@5` runs `rimraf`; the `@` of a scope stands in front. */
const programOf = (word: ShellWord): ShellWord => changed(word, word.value.replace(/(?<=.)(?:@|==)[^/]*$/, ''))

/** What stands behind `--` is the command. */
const dashed: Unwrap = ({ args }, starts) => {
  const words = behindDashes(args)
  if (words === undefined || words.length === 0) return
  starts.wrapper()
  starts.words(words)
}

/** As `dashed`, or a script as an option's value. */
const dashedOr =
  (option: string, valued = ''): Unwrap =>
  (command, starts) => {
    const own = command.args.slice(0, command.args.findIndex(({ value }) => value === '--') >>> 0)
    const text = readOptions(own, { valued: names(`${valued} ${option}`) }).value(option)
    if (text === undefined) dashed(command, starts)
    else starts.script(text)
  }

/** The first operand is what to run it with; the second is a script. */
const scriptBehindFile =
  (valued: string): Unwrap =>
  ({ args }, starts) => {
    const text = readOptions(args, { valued: names(valued) }).operands[1]
    if (text !== undefined) starts.script(text)
  }

const npmOptions = 'w workspace prefix cache registry userconfig loglevel'
const npx = packaged(`${npmOptions} node-options shell node-arg n`, 'p package')
const uvRun = prefix({
  valued:
    names(`p python with with-editable with-requirements extra group only-group no-group env-file index default-index
    i index-url extra-index-url f find-links P upgrade-package package directory project config-file color cache-dir
    python-platform link-mode resolution prerelease exclude-newer w refresh-package reinstall-package keyring-provider
    index-strategy config-setting C no-build-package no-binary-package no-build-isolation-package allow-insecure-host
    no-extra`),
  folders: ['directory'],
  idle: ['h', 'm', 'module'],
})
const uvx = packaged(
  `p python with with-editable with-requirements env-file index default-index i index-url extra-index-url f find-links
    color cache-dir directory project c constraints b build-constraints overrides python-platform link-mode`,
  'from',
  'no-such-option',
)
const versioned = { run: { own: 1 }, exec: { own: 1 } }
const plain = { exec: {} }
const conda = subcommands(
  {},
  { run: { valued: names('n name p prefix cwd'), flags: names('no-capture-output live-stream'), folders: ['cwd'] } },
)

/** Programs that find or fetch what they run: package managers, managers of versions, of environments, of secrets. */
export const runners: Readonly<Record<string, Unwrap>> = {
  npx,
  npm: subcommands({ valued: names(npmOptions) }, { exec: npx, x: npx }),
  pnpx: npx,
  bunx: packaged('', 'p package', 'no-such-option'),
  uvx,
  uv: subcommands(
    { valued: names('directory project config-file color cache-dir allow-insecure-host') },
    { run: uvRun, 'tool run': uvx },
  ),
  pnpm: subcommands(
    { valued: names('C dir F filter w') },
    { exec: pnpmExec, dlx: packaged('', 'package', 'no-such-option'), exe: pnpmExec },
  ),
  yarn: subcommands({ valued: ['cwd'] }, { exec: {}, dlx: packaged('', 'p package', 'no-such-option') }),
  bun: subcommands({ valued: ['cwd'] }, { x: packaged('', 'p package', 'no-such-option') }),
  pipx: subcommands({}, { run: packaged('python pip-args index-url', 'spec', 'no-such-option') }),
  bundle: subcommands({}, plain),
  bundler: subcommands({}, plain),
  poetry: subcommands({ valued: names('C directory P project') }, { run: {} }),
  pipenv: subcommands({ valued: ['python'] }, { run: {} }),
  pdm: subcommands({}, { run: { valued: names('s site-packages p project') } }),
  rye: subcommands({}, { run: {} }),
  hatch: subcommands({ valued: names('e env p project') }, { run: {} }),
  pixi: subcommands(
    {},
    { run: { valued: names('e environment manifest-path') }, exec: { valued: names('s spec c channel') } },
  ),
  conda,
  mamba: conda,
  micromamba: conda,
  asdf: subcommands({}, { exec: {}, env: { own: 1 } }),
  mise: subcommands({ valued: names('C cd E env') }, { exec: miseExec, x: miseExec }),
  rtx: subcommands({}, { exec: miseExec, x: miseExec }),
  pyenv: subcommands({}, plain),
  rbenv: subcommands({}, plain),
  nodenv: subcommands({}, plain),
  goenv: subcommands({}, plain),
  jenv: subcommands({}, plain),
  nvm: subcommands({}, versioned),
  fnm: subcommands({}, { exec: { valued: names('using fnm-dir') } }),
  volta: subcommands({}, { run: { valued: names('node npm yarn env') } }),
  rustup: subcommands({}, { run: { own: 1 } }),
  rvm: subcommands({}, { do: {} }),
  direnv: subcommands({}, { exec: { own: 1, strayed: true } }),
  'env-cmd': prefix({ valued: names('f file r rc-file e environments x') }),
  'aws-vault': subcommands({}, { exec: { valued: names('d duration t mfa-token region'), own: 1 } }),
  'aws-okta': subcommands({}, { exec: { own: 1 } }),
  saml2aws: subcommands({}, { exec: dashed }),
  chamber: subcommands({}, { exec: dashed }),
  op: subcommands({ valued: names('account cache config session') }, { run: dashed }),
  doppler: subcommands(
    { valued: names('p project c config t token') },
    { run: dashedOr('command', 'p project c config') },
  ),
  infisical: subcommands({}, { run: dashedOr('command', 'env path token projectId') }),
  teller: subcommands({}, { run: dashed }),
  envchain: prefix({ own: 1 }),
  sops: subcommands({}, { 'exec-env': scriptBehindFile('user'), 'exec-file': scriptBehindFile('user filename') }),
  vault: subcommands({}, { exec: dashed }),
  railway: subcommands({}, { run: { valued: names('s service e environment') } }),
  nix: subcommands({}, { develop: nixCommand, shell: nixCommand, run: dashedProgram }),
  'nix-shell': ({ args }, starts) => {
    const read = readOptions(args, { valued: names('p packages run command A attr I E expr keep') })
    for (const text of ['run', 'command'].flatMap((name) => read.given.get(name) ?? [])) starts.script(text)
  },
  guix: subcommands({}, { shell: dashed, environment: dashed }),
  flox: subcommands({}, { activate: dashedOr('command', 'd dir r remote') }),
  devbox: subcommands({}, { run: { valued: names('c config e env env-file') } }),
  cmake: ({ args }, starts) => {
    const at = args.findIndex(({ value }) => value === '-E')
    const [first, ...others] = at === -1 ? [] : args.slice(at + 1)
    if (first?.value === 'env') prefix({ assignments: true })({ ...emptyCommand, args: others }, starts)
    if (first?.value === 'time' && others.length > 0) starts.words(others)
  },
}

function pnpmExec(...[command, starts]: Parameters<Unwrap>): void {
  const read = readOptions(command.args, { valued: names('C dir F filter resume-from'), operandsLast: true })
  if (read.operands.length === 0) return
  starts.wrapper()
  if (read.has('c', 'shell-mode')) starts.script(joined(read.operands))
  else starts.words(read.operands)
}

/** `mise exec node@20 -- node x`, or `-c SCRIPT`. */
function miseExec(...[command, starts]: Parameters<Unwrap>): void {
  const text = readOptions(command.args, { valued: names('c command C cd E env j jobs') }).value('c', 'command')
  if (text === undefined) dashed(command, starts)
  else starts.script(text)
}

/** `nix develop -c make test`: all that stands behind is the command. */
function nixCommand(...[{ args }, starts]: Parameters<Unwrap>): void {
  const at = args.findIndex(({ value }) => value === '-c' || value === '--command')
  if (at !== -1 && args.length > at + 1) starts.words(args.slice(at + 1))
}

function dashedProgram(...[{ args }, starts]: Parameters<Unwrap>): void {
  const first = args.find(({ value }) => !value.startsWith('-'))
  const program = /(?:#|^)([\w.-]+)$/.exec(first?.value ?? '')?.[1]
  if (program !== undefined) starts.words([{ value: program }, ...(behindDashes(args) ?? [])])
}
