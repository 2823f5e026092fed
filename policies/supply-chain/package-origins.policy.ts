import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer } from 'hookgate/policy'
import { packageCallOf, packagePrograms } from './managers.ts'
import { isShorthand, packagesOf } from './packages.ts'

export default definePolicy({
  id: 'package-origins',
  description: 'Asks before packages come from an address, a repository or a file, where no registry vouches for them',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: packagePrograms },
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
    asks('a list from an address', 'pip install -r https://a.example/r.txt'),
    abstains('a list of the project', 'pip install -r r.txt'),
    asks('a repository', 'pip install git+https://a.example/b.git'),
    abstains('a name', 'pip install b'),
    denies('a plain line', 'pip install http://a.example/b.whl'),
    asks('a requirement', 'pip install "b @ https://a.example/b.zip"'),
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
