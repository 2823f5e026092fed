import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type Impact,
  lineOf,
  type PolicyAnswer,
  type PolicyEvent,
  quoted,
  rootAround,
  type ShellCommand,
  type ShellFacts,
  unknownPart,
} from 'hookgate/policy'
import { impactsOn, type Named, packagesOf } from './packages.ts'

/** True if packages are named by a text that the same command fetches: in a list, or as words. */
function hasFetchedNames({ targets, by }: Impact, { commands, flows }: ShellFacts): boolean {
  const whole = (commands[Number(by)]?.args ?? [])
    .filter(({ value }) => value.startsWith(unknownPart))
    .flatMap(({ from = [] }) => from)
  const into = targets['list'] === undefined ? [] : flows.filter(({ to, via }) => to === by && via !== 'argument')
  const before = new Set([...whole, ...into.map(({ from }) => from)])
  for (const one of before) for (const { from, to } of flows) if (to === one) before.add(from)
  return [...before].some((one) => commands[one]?.network?.direction === 'receive')
}

/** True for a command that packs what is in its folder into an archive in another one. */
const packsInto = (command: ShellCommand, folder: string): boolean =>
  packed(command)?.length === 0 && lineOf(command)?.value('pack-destination')?.value === folder

/** Returns what a command packs, as it is named: nothing for its own folder, and a package would be fetched. */
function packed(command: ShellCommand): readonly string[] | undefined {
  const line = lineOf(command)
  return line?.subcommand === 'pack' ? line.operands.map(({ value }) => value) : undefined
}

/** True for an archive of the workspace, as `npm pack` and `python -m build` make them, and nothing is fetched beside it. */
function isBuiltHere(text: string, { cwd }: ShellCommand, event: PolicyEvent, { commands }: ShellFacts): boolean {
  const { session, workspaceRoots } = event
  const roots = workspaceRoots.length === 0 ? [session.cwd] : workspaceRoots
  const isOfProject = (path: string) => rootAround(path, roots) !== undefined
  if (/:\/\/|(?:^|\/)\.\.(?:\/|$)|^~/.test(text) || text.includes(unknownPart)) return false
  if (commands.some(({ network }) => network?.direction === 'receive' || network?.direction === 'both')) return false
  if (commands.some((one) => packed(one)?.some((word) => !/^[./~]/.test(word)))) return false
  if (!text.startsWith('/')) return cwd !== undefined && isOfProject(cwd)
  return isOfProject(text) || commands.some((one) => packsInto(one, text.replace(/\/[^/]*$/, '')))
}

/** Hosts from which modules of Go come, by their own name or in the name of a project that is widely used. */
const goHosts =
  /^(?:[\w-]+\.)*(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|gitea\.com|golang\.org|google\.golang\.org|go\.dev|uber\.org|gopkg\.in|k8s\.io|honnef\.co|mvdan\.cc|gotest\.tools|cuelang\.org|opentelemetry\.io|gorm\.io|entgo\.io|mongodb\.org|google\.com|rsc\.io|gioui\.org|fyne\.io|modernc\.org|pgregory\.net|gonum\.org|tailscale\.com|istio\.io|knative\.dev|helm\.sh|dario\.cat|filippo\.io|goa\.design|buf\.build|connectrpc\.com|charm\.land|oras\.land|etcd\.io|temporal\.io|step\.sm|lukechampine\.com|dagger\.io|zgo\.at|cel\.dev|sigstore\.dev|upbound\.io)$/

/** Returns the host that a module is fetched from, unless it is one of those. */
function strangeHostOf({ targets }: Impact, text: string): string | undefined {
  const host = targets['module']?.includes(text) === true ? /^((?:[\w-]+\.)+\w+)\/./.exec(text)?.[1] : undefined
  return host === undefined || goHosts.test(host) ? undefined : host
}

/** Says where a package comes from if not from a registry, and the way out. */
function originOf({ targets }: Impact, { text, from }: Named): string {
  if (targets['module']?.includes(text) === true)
    return 'comes from a host of few modules: have the person check whose it is'
  if (from === 'folder') return 'is a folder under the name of a package: run its program by its path'
  if (from === 'alias') return 'is another package under this name: name that package itself'
  return 'comes from outside the registry, unchecked: have the person check whose it is'
}

/** Returns the host of an address, also behind a name: `b @ https://a.example/b.zip`. */
const hostIn = (text: string) => /^(?:[^:/]*@\s*)?[a-z+]+:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(text)?.[1]

export default definePolicy({
  id: 'package-origins',
  description: 'Asks before packages come from an address, a repository or a file, where no registry vouches for them',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['packages'] },
  params: {
    packageHosts: { type: 'strings', default: [], description: 'hosts that packages may come from' },
    packageAddresses: {
      type: 'strings',
      default: [],
      description: 'prefixes of addresses that packages may come from: `git+https://git.corp.example/`',
    },
  },
  decide({ event, impacts, shell, params }) {
    let doubt: PolicyAnswer | undefined
    for (const impact of impactsOn(impacts, 'packages', 'install', 'run')) {
      const { by: at, kind, words } = impact
      const command = shell.commands[at]
      if (command === undefined) continue
      if (kind === 'install' && hasFetchedNames(impact, shell))
        doubt ??= ask(
          `\`${words}\` would install whatever a text from an address names: save it, read it, and install from the file`,
          { at },
        )
      for (const one of packagesOf(impact)) {
        const host = strangeHostOf(impact, one.text) ?? (one.from === undefined ? undefined : hostIn(one.text))
        const from = one.from ?? (host === undefined ? undefined : 'address')
        if (from === undefined) continue
        // A folder of the project is the project's own, unless a program is fetched to be run from it.
        if (from === 'folder' && (kind === 'install' || !one.text.includes('file:'))) continue
        if (from === 'archive' && isBuiltHere(one.text, command, event, shell)) continue
        if (host !== undefined && params.packageHosts.includes(host)) continue
        if (params.packageAddresses.some((address) => one.text.includes(address))) continue
        if (/(?:^|[\s@+])(?:http|ftp|git):\/\//i.test(one.text)) {
          return deny(`${quoted(one.text)} comes over a connection that anybody on the way can change: use https`, {
            at,
          })
        }
        doubt ??= ask(`${quoted(one.text)} ${originOf(impact, one)}`, { at })
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
