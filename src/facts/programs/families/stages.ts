import type { Family } from '../program.ts'
import { liveByVerbs } from '../deeds/deeds.ts'
import { platformStage, taskStage } from '../deeds/stages.ts'

/** Programs that act on a stage which their command lines name: production, staging, development. */
export const stages: Family = {
  area: 'stages',

  programs: {
    'ecs ecs-deploy spinnaker cast truffle anchor solana near werf colmena': { does: platformStage },
    // Their `deploy` goes to what their settings name, such as a chain for tests.
    'cap mup dep forge hardhat': {
      does: [platformStage, liveByVerbs('publish', 'upload')],
    },

    'kubectx kubens': { does: { area: 'stages', stage: { named: 'words', verb: 'use' } }, looks: '[-c|--current] ..0' },

    'invoke inv fab mage grunt gulp poe doit thor pants': { does: taskStage },
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
