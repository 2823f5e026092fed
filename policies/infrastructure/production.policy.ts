import { abstains, asks, definePolicy, denies, type PolicyAnswer } from 'hookgate/policy'
import { callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest, targets } from './cli/judge.ts'
import { releaseIn } from './data/releases.ts'

const words = {
  harm: 'changes what runs in production, for everybody who uses it',
  instead: 'do it in a staging or preview environment, show the plan, and have the person release it',
}

export default definePolicy({
  id: 'production',
  severity: 'critical',
  description: 'Keeps releases, migrations and other changes from going to production without the person',
  on: 'PreToolUse',
  tool: 'shell',
  params: { ...params, targets },
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      if (isAllowed(call, given.allowed)) continue
      const release = releaseIn(call, given.targets)
      if (release === undefined) continue
      const danger = { effect: release.effect, words: `… ${release.verb} … ${release.target}` }
      answers.push(answerTo(danger, call, given, words))
    }
    return strictest(answers)
  },
  examples: [
    denies('make deploy-prod'),
    denies('make deploy ENV=production'),
    denies('npm run deploy:production'),
    denies('./scripts/deploy.sh production'),
    denies('bash scripts/migrate_prod.sh'),
    denies('python scripts/release.py --env production'),
    denies('railway up --environment production'),
    denies('vercel --prod'),
    denies('vercel env rm KEY production --yes'),
    denies('netlify deploy --prod --dir dist'),
    denies('serverless deploy --stage prod'),
    denies('kubectl --context prod apply -f app.yaml'),
    denies('kubectl delete pod web-1 -n production'),
    denies('terraform apply -var env=production'),
    denies('RAILS_ENV=production rails db:migrate'),
    denies('cap production deploy'),
    denies('firebase deploy -P production'),
    asks('kubectl scale deployment/api --replicas=3 -n production'),
    abstains('kubectl rollout status deployment/api -n production'),
    abstains('kubectl get pods -n production'),
    abstains('terraform plan -var env=production'),
    abstains('vercel env ls production'),
    abstains('make deploy-staging'),
    abstains('npm run build -- --mode production'),
    abstains('npm ci --production'),
    abstains('NODE_ENV=production node server.js'),
    abstains('docker build --target production .'),
    abstains('cat scripts/deploy-prod.sh'),
    abstains('git checkout -b deploy-prod'),
    abstains('git commit -m "deploy to production"'),
    abstains('railway variables --environment development'),
    abstains('make -n deploy-prod'),
    abstains('serverless deploy --stage dev'),
    denies('another word for production', 'make deploy-blue', { params: { targets: ['blue'] } }),
    allowed('make deploy-prod', 'make'),
    answered('make deploy-prod', 'ask'),
  ],
})
