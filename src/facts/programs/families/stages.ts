import type { Family } from '../program.ts'
import { codeStage, endStage, machineStage, namesStage, platformStage, taskStage } from '../deeds/stages.ts'

/** Programs that act on a stage which their command lines name: production, staging, development. */
export const stages: Family = {
  area: 'stages',

  programs: {
    'func circleci jenkins-cli gitlab-runner railway netlify ntl flyctl fly heroku firebase serverless sls sam cdk cdktf sst eb gcloud aws az azd kubectl oc k helm helmfile terraform tofu terragrunt terramate pulumi cap mup kamal dep argocd argo flux skaffold wrangler supabase knex rails rake eas fastlane render copilot ecs ecs-deploy ecs-cli dokku nomad waypoint garden atmos doctl chalice zappa amplify cf scalingo clever platform upsun terminus pm2 shopify databricks dbt appwrite convex modal octo spinnaker forge cast hardhat truffle anchor solana near spin harness pscale neonctl turso apex up architect arc porter qovery kustomize kapp werf nixops morph colmena':
      { does: platformStage },
    'gh glab prisma alembic goose dbmate sqlx diesel atlas sequelize typeorm drizzle-kit migrate flyway liquibase hasura django-admin manage flask artisan':
      { does: namesStage },
    // Containers of this machine mostly run what is tried here.
    'docker podman docker-compose': { does: { stage: { named: 'options', isTried: true }, valued: 'e env' } },
    // A playbook changes what its inventory names, whatever it is called.
    'ansible-playbook': {
      does: {
        stage: { named: 'words', verb: 'deploy' },
        trials: 'C version list-hosts list-tasks list-tags',
      },
    },
    // Alone or with a folder, it deploys.
    vercel: { does: { stage: { named: 'words', verb: 'deploy' }, harmless: ['build'] } },
    'kubectx kubens': { does: { stage: { named: 'words', verb: 'use' } } },
    'just task npm pnpm yarn bun invoke inv fab gradle gradlew mage mise grunt gulp ant composer poe deno nx turbo lerna rush doit thor sbt lein mvn mvnw pants bazel':
      { does: taskStage },
    'make gmake': { does: { ...taskStage, trials: 'n' } },
    'bash sh zsh dash ksh fish python node tsx ts-node ruby perl php go pwsh powershell source': { does: codeStage },
    'systemctl service supervisorctl rc-service initctl git apt apt-get dnf yum apk snap crontab': {
      does: machineStage,
    },
    'reboot shutdown poweroff halt kill killall pkill': { does: endStage },
  },
  examples: {
    'make deploy-prod': 'deploys a new version, in production',
    'make -n deploy-prod': '',
    'make deploy ENV=staging': 'deploys a new version',
    'bash scripts/migrate_prod.sh': 'changes what runs there, in production',
    'kubectl config use-context prod': 'changes the place of later commands, in production',
    'kubectl scale deployment/api --replicas=3 -n production': 'changes what runs there, in production',
    'vercel --prod': 'deploys a new version, in production',
    'ansible-playbook -i inventories/production site.yml': 'deploys a new version, in production',
    'pm2 reload api-prod': 'changes what runs there, in production',
    'git push heroku main': 'deploys a new version, in production',
    'npm run build': '',
  },
}
