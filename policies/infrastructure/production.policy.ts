import { abstains, asks, callsIn, definePolicy, denies, type PolicyAnswer, strictest } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, targets } from './cli/judge.ts'
import { releaseIn } from './data/releases.ts'
import { deployingWords, remoteChangeIn } from './data/remote-changes.ts'

const words = {
  harm: 'changes what runs in production, for everybody who uses it',
  instead: 'do it in a staging or preview environment, show the plan, and have the person release it',
}

const choosing = {
  harm: 'makes production what every later command acts on',
  instead: 'name it in the one command that is meant, or have the person choose it',
}

const running = {
  harm: 'runs a command in production',
  instead: 'say what it would read or change there, and have the person run it',
}

export default definePolicy({
  id: 'production',
  severity: 'critical',
  description: 'Keeps releases, migrations and other changes from going to production without the person',
  on: 'PreToolUse',
  tool: 'shell',
  // Platforms that deploy what is pushed to them need no name of a target.
  interest: { words: [deployingWords], params: ['targets'], assignments: true },
  params: { ...params, targets },
  decide({ shell, impacts, params: given }) {
    const answers: PolicyAnswer[] = []
    for (const call of callsIn(shell)) {
      if (isAllowed(call, given.allowed)) continue
      const release = releaseIn(call, given.targets) ?? remoteChangeIn(call, shell, impacts, given.targets)
      if (release === undefined) continue
      const danger = {
        effect: release.effect,
        words: [release.verb, release.target].flatMap((one) => (one === '' ? [] : [`… ${one}`])).join(' '),
      }
      const isRun = release.verb === 'exec' || release.verb === 'run'
      answers.push(answerTo(danger, call, given, release.isChoice === true ? choosing : isRun ? running : words))
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
    denies('gh workflow run deploy-prod.yml'),
    denies('gcloud run deploy orders-prod --image i'),
    denies('vercel --prod ./dist'),
    asks('vercel env add KEY production'),
    asks('aws lambda update-function-code --function-name orders-prod --zip-file fileb://f.zip'),
    {
      name: 'a command that is run there',
      given: { input: { command: 'kubectl exec deploy/api -n prod -- printenv' } },
      want: { effect: 'ask', reason: 'runs a command in production' },
    },
    asks('docker context use prod'),
    asks('git push heroku main'),
    asks('git push origin HEAD:production'),
    asks('scp app.tgz deploy@prod-web-1:/srv/app/'),
    asks('aws s3 sync dist s3://shop-prod'),
    asks("ssh deploy@prod-web-1 'cd /srv/app && git pull'"),
    asks('psql "$PROD_DATABASE_URL" -c "insert into plans values (1)"'),
    asks('curl -X POST https://ci.example.com/job/deploy-prod/build'),
    asks('kubectl scale deployment/api --replicas=3 -n production'),
    abstains('gh workflow view deploy-prod.yml'),
    abstains('git push origin fix/production-bug'),
    abstains('scp deploy@prod-web-1:/var/log/app.log .'),
    abstains("ssh deploy@prod-web-1 'tail -n 100 /var/log/app.log'"),
    abstains('psql "$PROD_DATABASE_URL" -c "select 1"'),
    abstains('npx supabase migration new live_prices'),
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
