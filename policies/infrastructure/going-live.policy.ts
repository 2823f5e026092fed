import { abstains, asks, definePolicy, type PolicyAnswer } from 'hookgate/policy'
import { callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { goesLive, goingLiveWords } from './data/going-live.ts'
import { pushesImage } from './data/pushed-images.ts'
import { pushesVersion } from './data/pushed-versions.ts'

const words = {
  harm: 'puts this in front of everybody at once, with no preview between',
  instead: 'try it first (`--dry-run`, a preview, a staging environment), and have the person release it',
}

const ofImage = {
  harm: 'replaces an image that others run and build from',
  instead: 'push it under a tag of its own first (a branch, a commit), and have the person release it',
}

export default definePolicy({
  id: 'going-live',
  severity: 'medium',
  description: 'Asks before a program publishes or deploys to where everybody sees it at once',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: goingLiveWords },
  params,
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      const image = pushesImage(call)
      const what = image ?? goesLive(call) ?? pushesVersion(call, shell)
      if (what === undefined || isAllowed(call, given.allowed)) continue
      answers.push(answerTo({ effect: 'ask', words: what }, call, given, image === undefined ? words : ofImage))
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
    asks('railway up'),
    abstains('railway up --environment staging'),
    asks('npx convex deploy'),
    abstains('npx sst deploy'),
    abstains('vercel deploy'),
    abstains('npx prisma migrate deploy'),
    asks('docker push ghcr.io/acme/web:1.2.0'),
    abstains('docker push localhost:5000/web'),
    abstains('docker push ghcr.io/acme/web:pr-12'),
    abstains('docker push ghcr.io/acme/web:3f9c2ab'),
    asks('docker push ghcr.io/acme/web:latest'),
    asks('gh release create v1.2.0'),
    abstains('gh release create v1.2.0 --draft'),
    asks('npm version patch && git push --follow-tags'),
    abstains('git push --follow-tags'),
    abstains('firebase hosting:channel:deploy pr-3'),
    abstains('dotnet publish -c Release'),
    abstains('git commit -m "np publish deploy"'),
    allowed('fly deploy', 'fly deploy'),
    answered('fly deploy', 'deny'),
  ],
})
