import { abstains, asks, definePolicy, type PolicyAnswer } from 'hookgate/policy'
import { callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { goesLive } from './data/going-live.ts'

const words = {
  harm: 'puts this in front of everybody at once, with no preview between',
  instead: 'try it first (`--dry-run`, a preview, a staging environment), and have the person release it',
}

export default definePolicy({
  id: 'going-live',
  severity: 'medium',
  description: 'Asks before a program publishes or deploys to where everybody sees it at once',
  on: 'PreToolUse',
  tool: 'shell',
  params,
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      const what = goesLive(call)
      if (what === undefined || isAllowed(call, given.allowed)) continue
      answers.push(answerTo({ effect: 'ask', words: what }, call, given, words))
    }
    return strictest(answers)
  },
  examples: [
    asks('surge ./dist shop.surge.sh'),
    abstains('surge list'),
    asks('npx np minor'),
    abstains('npx np --preview'),
    asks('npx release-it --ci'),
    abstains('npx release-it --dry-run'),
    asks('fly deploy'),
    abstains('fly deploy --config fly.staging.toml'),
    asks('pnpm changeset publish'),
    abstains('pnpm changeset add'),
    asks('snapcraft upload shop_1_amd64.snap'),
    abstains('snapcraft status shop'),
    asks('eas submit -p ios --latest'),
    abstains('eas build -p ios'),
    asks('mkdocs gh-deploy'),
    abstains('mkdocs serve'),
    abstains('vercel deploy'),
    abstains('firebase hosting:channel:deploy pr-3'),
    abstains('dotnet publish -c Release'),
    abstains('git commit -m "np publish deploy"'),
    allowed('fly deploy', 'fly deploy'),
    answered('fly deploy', 'deny'),
  ],
})
