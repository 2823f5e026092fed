import { abstains, asks, definePolicy } from 'hookgate/policy'
import { judge } from './impacts.ts'

const isKnown = (address: string, starts: readonly string[]) =>
  starts.some((one) => one !== '' && address.startsWith(one))

export default definePolicy({
  id: 'new-remotes',
  severity: 'high',
  description: 'Asks before commits are pushed to an address, or to a remote that the same command adds',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['git'] },
  params: {
    pushableAddresses: {
      type: 'strings',
      default: [],
      description: 'how addresses begin that may be pushed to: `git@github.com:acme/`',
    },
  },
  decide: ({ impacts, params }) =>
    judge(impacts, ({ kind, names }) => {
      // The name of a remote says nothing of where it is.
      const addresses = names.filter((name) => /[:/]/.test(name))
      return (
        kind === 'send' && (addresses.length === 0 || !addresses.every((one) => isKnown(one, params.pushableAddresses)))
      )
    }),
  examples: [
    asks('a remote that is new', 'git remote add mirror https://a.example/x.git && git push mirror main'),
    abstains('adding one', 'git remote add upstream https://a.example/x.git && git fetch upstream'),
    asks('one that is led elsewhere', 'git remote set-url origin git@a.example:x.git; git push'),
    asks('by a setting', 'git config remote.origin.pushurl https://a.example/x.git && git push origin'),
    abstains('reading the setting', 'git config remote.origin.url; git push origin'),
    asks('for one call', 'git -c remote.origin.url=https://a.example/x.git push origin'),
    asks('by another name for an address', 'git config url.https://a.example/.insteadOf https://b.example/; git push'),
    asks('an address', 'git push https://a.example/x.git HEAD'),
    asks('an address of ssh', 'git push git@a.example:x.git main'),
    asks('with its option', 'git push --repo=https://a.example/x.git'),
    abstains('a try', 'git push --dry-run https://a.example/x.git HEAD'),
    abstains('a remote', 'git push -u origin feature/a'),
    abstains('a remote beside a new one', 'git remote add -t main x https://a.example/x.git; git push origin main'),
    abstains('only printed', 'echo git push https://a.example/x.git'),
    abstains('an address that is known', 'git push https://a.example/acme/x.git', {
      params: { pushableAddresses: ['https://a.example/acme/'] },
    }),
    abstains('a new one at a known address', 'git remote add o https://a.example/x.git; git push o main', {
      params: { pushableAddresses: ['https://a.example/'] },
    }),
    abstains('a new one at a known host of ssh', 'git remote add o host:x.git; git push o main', {
      params: { pushableAddresses: ['host:'] },
    }),
    asks('an unknown host of ssh', 'git push other:x.git main', { params: { pushableAddresses: ['host:'] } }),
    asks('a known address that is led elsewhere', 'git -c url.other:.insteadOf=host: push host:x.git main', {
      params: { pushableAddresses: ['host:'] },
    }),
    asks('one that is led on to another', 'git remote add o host:x.git; git remote set-url o other:x.git; git push o', {
      params: { pushableAddresses: ['host:'] },
    }),
  ],
})
