import { type PolicyAnswer, ask, definePolicy, deny } from 'hookgate/policy'
import { packageCallOf } from './managers.ts'
import { isShorthand, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'package-origins',
  description: 'Asks before packages come from an address, a repository or a file, where no registry vouches for them',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    packageHosts: { type: 'strings', default: [], description: 'hosts that packages may come from' },
    packageAddresses: {
      type: 'strings',
      default: [],
      description: 'prefixes of addresses that packages may come from: `git+https://git.corp.example/`',
    },
  },
  decide({ shell, params }) {
    let doubt: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const call = packageCallOf(command)
      if (call === undefined || (call.act !== 'install' && call.act !== 'run')) continue
      for (const one of packagesOf(call)) {
        const from = isShorthand(call, one) ? 'repository' : one.from
        if (from === undefined) continue
        // A folder of the project is the project's own, unless a program is fetched to be run from it.
        if (from === 'folder' && (call.act === 'install' || !one.text.includes('file:'))) continue
        if (one.host !== undefined && params.packageHosts.includes(one.host)) continue
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
    {
      name: 'a list from an address',
      given: { input: { command: 'pip install -r https://a.example/r.txt' } },
      want: 'ask',
    },
    { name: 'a list of the project', given: { input: { command: 'pip install -r r.txt' } }, want: 'abstain' },
    { name: 'a repository', given: { input: { command: 'pip install git+https://a.example/b.git' } }, want: 'ask' },
    { name: 'a name', given: { input: { command: 'pip install b' } }, want: 'abstain' },
    { name: 'a plain line', given: { input: { command: 'pip install http://a.example/b.whl' } }, want: 'deny' },
    { name: 'a requirement', given: { input: { command: 'pip install "b @ https://a.example/b.zip"' } }, want: 'ask' },
    { name: 'an archive', given: { input: { command: 'npm install https://a.example/b.tgz' } }, want: 'ask' },
    { name: 'a version', given: { input: { command: 'npm install b@1.2.3' } }, want: 'abstain' },
    { name: 'of Nix', given: { input: { command: 'nix run github:someone/b' } }, want: 'ask' },
    { name: 'of Nix, here', given: { input: { command: 'nix run .#b' } }, want: 'abstain' },
    { name: 'an extension', given: { input: { command: 'gh extension install someone/gh-b' } }, want: 'ask' },
    { name: 'what extensions there are', given: { input: { command: 'gh extension list' } }, want: 'abstain' },
    { name: 'a project of GitHub', given: { input: { command: 'npm i someone/b' } }, want: 'ask' },
    { name: 'a scope', given: { input: { command: 'npm i @someone/b' } }, want: 'abstain' },
    { name: 'a tool from a file', given: { input: { command: 'npx --package tool@file:./x tool' } }, want: 'ask' },
    { name: 'the project', given: { input: { command: 'pip install -e .' } }, want: 'abstain' },
    { name: 'of Rust', given: { input: { command: 'cargo install --git https://a.example/b' } }, want: 'ask' },
    { name: 'of Rust by name', given: { input: { command: 'cargo install ripgrep' } }, want: 'abstain' },
    {
      name: 'of a host that is allowed',
      given: { input: { command: 'pip install git+https://a.example/b' }, params: { packageHosts: ['a.example'] } },
      want: 'abstain',
    },
    {
      name: 'of an address that is allowed',
      given: { input: { command: 'npm i git+https://a.b/c' }, params: { packageAddresses: ['https://a.b/c'] } },
      want: 'abstain',
    },
  ],
})
