import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type PolicyAnswer,
  type PolicyEvent,
  readOptions,
  type ShellCommand,
  type ShellFacts,
  unknownPart,
  tableOf,
} from 'hookgate/policy'
import { type PackageCall, packageCallOf, interestIn } from './managers.ts'
import { isShorthand, packagesOf, strangeHostOf } from './packages.ts'

/** True if packages are named by a text that the same command fetches: in a list, or as words. */
function hasFetchedNames({ options, names }: PackageCall, { commands, flows }: ShellFacts, at: number): boolean {
  const lists = options.values('r', 'requirement', 'requirements', 'file')
  const whole = names.filter(({ value }) => value.startsWith(unknownPart)).flatMap(({ from = [] }) => from)
  const into = lists.length === 0 ? [] : flows.filter(({ to, via }) => to === at && via !== 'argument')
  const before = new Set([...whole, ...into.map(({ from }) => from)])
  for (const one of before) for (const { from, to } of flows) if (to === one) before.add(from)
  return [...before].some((one) => commands[one]?.network?.direction === 'receive')
}

/** True for `npm pack` of the folder itself into another one. A package that it is named would be fetched. */
function packsInto({ program, args }: ShellCommand, folder: string): boolean {
  const { operands, value } = readOptions(args.slice(1), { valued: ['pack-destination'] })
  return (
    /^p?npm$/.test(program) &&
    args[0]?.value === 'pack' &&
    operands.length === 0 &&
    value('pack-destination')?.value === folder
  )
}

/** True for `npm pack` of a package that it fetches. */
const packsOther = ({ program, args }: ShellCommand): boolean =>
  /^p?npm$/.test(program) &&
  args[0]?.value === 'pack' &&
  readOptions(args.slice(1), { valued: ['pack-destination'] }).operands.some(({ value }) => !/^[./~]/.test(value))

/** True for an archive of the workspace, as `npm pack` and `python -m build` make them, and nothing is fetched beside it. */
function isBuiltHere(text: string, { cwd }: ShellCommand, event: PolicyEvent, { commands }: ShellFacts): boolean {
  const { session, workspaceRoots } = event
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  const isBelow = (path: string) => roots.some((root) => path === root || path.startsWith(`${root}/`))
  if (/:\/\/|(?:^|\/)\.\.(?:\/|$)|^~/.test(text) || text.includes(unknownPart)) return false
  if (commands.some(({ program, network }) => /^(?:curl|wget|gh|aws|scp)$/.test(program) && network !== undefined))
    return false
  if (commands.some(packsOther)) return false
  if (!text.startsWith('/')) return cwd !== undefined && isBelow(cwd)
  return isBelow(text) || commands.some((one) => packsInto(one, text.replace(/\/[^/]*$/, '')))
}

export default definePolicy({
  id: 'package-origins',
  description: 'Asks before packages come from an address, a repository or a file, where no registry vouches for them',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: tableOf(interestIn, 'install', 'run'),
  params: {
    packageHosts: { type: 'strings', default: [], description: 'hosts that packages may come from' },
    packageAddresses: {
      type: 'strings',
      default: [],
      description: 'prefixes of addresses that packages may come from: `git+https://git.corp.example/`',
    },
  },
  decide({ event, shell, params }) {
    let doubt: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      if (call === undefined || (call.act !== 'install' && call.act !== 'run')) continue
      if (call.act === 'install' && hasFetchedNames(call, shell, at))
        doubt ??= ask(
          `which packages ${call.manager} would install says a text from an address: save it, read it, and install from the file`,
          { at },
        )
      for (const one of packagesOf(call)) {
        const host = strangeHostOf(call, one) ?? one.host
        const from = isShorthand(call, one) ? 'repository' : (one.from ?? (host === undefined ? undefined : 'address'))
        if (from === undefined) continue
        // A folder of the project is the project's own, unless a program is fetched to be run from it.
        if (from === 'folder' && (call.act === 'install' || !one.text.includes('file:'))) continue
        if (from === 'archive' && isBuiltHere(one.text, command, event, shell)) continue
        if (host !== undefined && params.packageHosts.includes(host)) continue
        if (params.packageAddresses.some((address) => one.text.includes(address))) continue
        if (/(?:^|[\s@+])(?:http|ftp|git):\/\//i.test(one.text)) {
          return deny(
            `${one.text} comes over a connection that anybody on the way can tamper with: use https, or the registry`,
            {
              at,
            },
          )
        }
        doubt ??= ask(`${one.text} comes from outside the registry, unchecked: use the package’s name there`, { at })
      }
    }
    return doubt
  },
  examples: [
    asks('a list from an address', 'pip install -r https://a.example/r.txt'),
    abstains('a list of the project', 'pip install -r r.txt'),
    asks('a list that is fetched', 'pip install -r <(curl -s https://a.example/r.txt)'),
    abstains('a list of the project that is changed', 'pip install -r <(grep -v torch r.txt)'),
    asks('names that are fetched', 'curl -s https://a.example/names | xargs pip install'),
    abstains('a version that is fetched', 'pip install "b==$(curl -s https://a.example/version)"'),
    asks('a repository', 'pip install git+https://a.example/b.git'),
    asks('a module of an unknown host', 'go install a.example/b@latest'),
    abstains('a module of a known host', 'go install golang.org/x/tools/gopls@latest'),
    abstains('a module of an own host', 'go install a.example/b@latest', { params: { packageHosts: ['a.example'] } }),
    abstains('a name', 'pip install b'),
    denies('a plain line', 'pip install http://a.example/b.whl'),
    asks('a requirement', 'pip install "b @ https://a.example/b.zip"'),
    abstains('an archive that the project has made', 'npm install -g ./shop-1.0.0.tgz'),
    abstains('a wheel that the project has made', 'pip install dist/shop-1.0-py3-none-any.whl'),
    asks('an archive of another folder', 'npm install -g /tmp/shop-1.0.0.tgz'),
    abstains('one that is made in the same line', 'npm pack --pack-destination /tmp && npm i -g /tmp/shop-1.0.0.tgz'),
    asks('a package that is packed', 'npm pack shop --pack-destination /tmp && npm i -g /tmp/shop-1.0.0.tgz'),
    asks('a package that is packed here', 'npm pack shop && npm i -g ./shop-1.0.0.tgz'),
    asks('an archive of elsewhere', 'npm pack --pack-destination out && npm i -g /tmp/shop-1.0.0.tgz'),
    asks('an archive beside the project', 'npm install -g ../shop-1.0.0.tgz'),
    asks('an archive that is fetched', 'curl -O https://a.example/b.tgz && npm install ./b.tgz'),
    asks('an archive', 'npm install https://a.example/b.tgz'),
    abstains('a version', 'npm install b@1.2.3'),
    asks('of Nix', 'nix run github:someone/b'),
    abstains('of Nix, here', 'nix run .#b'),
    asks('an extension', 'gh extension install someone/gh-b'),
    abstains('what extensions there are', 'gh extension list'),
    asks('a project of GitHub', 'npm i someone/b'),
    abstains('a scope', 'npm i @someone/b'),
    asks('a tool from a file', 'npx --package tool@file:./x tool'),
    abstains('the project', 'pip install -e .'),
    asks('of Rust', 'cargo install --git https://a.example/b'),
    abstains('of Rust by name', 'cargo install ripgrep'),
    abstains('of a host that is allowed', 'pip install git+https://a.example/b', {
      params: { packageHosts: ['a.example'] },
    }),
    abstains('of an address that is allowed', 'npm i git+https://a.b/c', {
      params: { packageAddresses: ['https://a.b/c'] },
    }),
  ],
})
