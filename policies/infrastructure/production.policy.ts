import { definePolicy, type PolicyAnswer } from 'hookgate/policy'
import { callsIn } from './cli/calls.ts'
import { allowed, answered, asked, passed, refused } from './cli/example.ts'
import { answerTo, isAllowed, params } from './cli/judge.ts'
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
  params: {
    ...params,
    targets: {
      type: 'strings',
      default: ['production', 'prod', 'prd', 'live'],
      description: 'words that mean production, in lower case; the list replaces the whole default',
    },
  },
  decide({ shell, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      if (isAllowed(call, given.allowed)) continue
      const release = releaseIn(call, given.targets)
      if (release === undefined) continue
      const said = { effect: release.effect, words: `… ${release.verb} … ${release.target}` }
      answers.push(answerTo(said, call.program, given, words))
    }
    return answers.find((one) => 'effect' in one && one.effect === 'deny') ?? answers[0]
  },
  examples: [
    refused('make deploy-prod'),
    refused('make deploy ENV=production'),
    refused('npm run deploy:production'),
    refused('./scripts/deploy.sh production'),
    refused('bash scripts/migrate_prod.sh'),
    refused('python scripts/release.py --env production'),
    refused('railway up --environment production'),
    refused('vercel --prod'),
    refused('vercel env rm KEY production --yes'),
    refused('netlify deploy --prod --dir dist'),
    refused('serverless deploy --stage prod'),
    refused('kubectl --context prod apply -f app.yaml'),
    refused('kubectl delete pod web-1 -n production'),
    refused('terraform apply -var env=production'),
    refused('RAILS_ENV=production rails db:migrate'),
    refused('cap production deploy'),
    refused('firebase deploy -P production'),
    asked('kubectl scale deployment/api --replicas=3 -n production'),
    passed('kubectl rollout status deployment/api -n production'),
    passed('kubectl get pods -n production'),
    passed('terraform plan -var env=production'),
    passed('vercel env ls production'),
    passed('make deploy-staging'),
    passed('npm run build -- --mode production'),
    passed('npm ci --production'),
    passed('NODE_ENV=production node server.js'),
    passed('docker build --target production .'),
    passed('cat scripts/deploy-prod.sh'),
    passed('git checkout -b deploy-prod'),
    passed('git commit -m "deploy to production"'),
    passed('railway variables --environment development'),
    passed('make -n deploy-prod'),
    passed('serverless deploy --stage dev'),
    {
      name: 'another word for production',
      given: { input: { command: 'make deploy-blue' }, params: { targets: ['blue'] } },
      want: 'deny',
    },
    allowed('make deploy-prod', 'make'),
    answered('make deploy-prod', 'ask'),
  ],
})
