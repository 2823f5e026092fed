import { plainManager } from '../deeds/packages.ts'
import { makesVersions, liveBy, liveByVerbs, platformStage, taskStage } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

/** Programs that are known only for what they put in front of everybody at once, or for what sounds like that. */
export const publishers: Family = {
  area: 'going-live',

  programs: {
    np: { does: [{ area: 'packages', ...plainManager({ publishes: [''] }), trials: 'preview' }, liveBy(/^/)] },
    bumpp: { does: liveBy(/^(?!.*--no-push)/) },
    auto: { does: liveBy(/^(?:shipit|latest|next|release)\b/) },
    cz: { does: [liveBy(/^release\b/), makesVersions('bump')] },
    'standard-version commit-and-tag-version bumpversion bump2version bump-my-version': { does: makesVersions('') },
    goreleaser: { does: liveBy(/^(?:$|-|release\b)/) },
    jreleaser: { does: liveBy(/^(?:$|-|(?:full-release|release|publish|deploy|upload|announce)\b)/) },
    'shipit shipjs': { does: liveBy(/^(?!(?:init|prepare|help)\b)/) },

    zeit: { does: liveBy(/--prod\b/) },
    balena: { does: liveBy(/^(?:push|deploy) (?!.*\.local)/, { toNamed: true }) },
    'cpan-upload ctanupload dput dput-ng': {
      does: liveBy(/^(?!.*(?:--(?:help|version|simulate|no-upload)|-[hV]\b))./),
    },
    'dzil minil': { does: liveBy(/^release\b/) },
    'fez zef l3build compote': { does: liveBy(/^(?:component )?upload\b/) },
    'copr-cli copr': { does: liveBy(/^build\b/) },
    wingetcreate: { does: liveBy(/^submit\b|\s(?:-s|--submit)\b/) },
    paket: { does: liveBy(/^push\b/) },
    kaggle: {
      does: [
        { area: 'data-platforms', never: ['datasets|d|kernels|k|models|m delete', 'models|m * delete'] },
        liveBy(/^(?:datasets|d|kernels|k|models|m) (?:create|version|push|instances)\b|^competitions submit\b/),
      ],
    },
    'ia zenodo-upload': { does: liveBy(/^(?:upload\b|\d)/) },
    butler: { does: liveBy(/^push\b/) },
    steamcmd: { does: liveBy(/\+run_app_build\b/) },
    particle: { does: liveBy(/^flash (?!--local|--usb)/) },
    shorebird: { does: liveBy(/^(?:release|patch)\b/) },
    'web-ext': { does: liveBy(/^sign\b.*--channel[ =]listed/) },
    'chrome-webstore-upload': { does: liveBy(/^(?!.*--help)/) },

    // They publish messages, or to this machine.
    'mosquitto mqtt mqttx kafka yalc': { does: liveByVerbs('upload', 'deploy') },
    // They sign files of this machine.
    'jarsigner apksigner': { does: liveByVerbs('publish', 'deploy') },
    // They are called by a release, and look at it, or ask for it in a pull request.
    'github-release gh-release release-please': { does: liveByVerbs('publish', 'upload', 'deploy') },
  },
  examples: {
    'cpan-upload Shop-1.0.tar.gz': 'publishes this project, for everybody at once',
    'dzil release': 'publishes this project, for everybody at once',
    'dzil build': '',
    'fez upload': 'publishes this project, for everybody at once',
    'wingetcreate submit shop.yaml': 'publishes this project, for everybody at once',
    'wingetcreate new https://a.example/shop.exe': '',
    np: 'publishes a package; publishes this project, for everybody at once',
    'np --help': '',
    'np --preview': '',
    'bumpp patch': 'publishes this project, for everybody at once',
    'bumpp patch --no-push': '',
    'cz bump': '',
    'balena push fleet': 'publishes this project, for everybody at once',
    'balena push fleet-staging': '',
    'butler push game.zip shop/game:win': 'publishes this project, for everybody at once',
    'railway up': 'deploys this project, for everybody at once',
    'railway up --environment staging': 'deploys a new version',
    'heroku container:release web': 'publishes this project, for everybody at once',
    'gh release create v1.0.0': 'publishes this project, for everybody at once',
    'gh release create v1.0.0 --draft': 'deploys a new version',
    'mvn deploy': 'publishes a package; deploys this project, for everybody at once',
    'cargo release --execute': 'publishes this project, for everybody at once',
    'mqtt publish shop/orders ready': '',
    'echo publish': '',
    'some-tool docs:publish': 'publishes this project, for everybody at once',
    'some-tool push shop.snap': 'publishes this project, for everybody at once',
    'gsutil push shop.snap': '',
    'some-tool deploy': 'deploys this project, for everybody at once',
    'turbo deploy': '',
  },
}

/** Programs that act on a stage which their command lines name: production, staging, development. */
export const stages: Family = {
  area: 'stages',

  programs: {
    'ecs ecs-deploy spinnaker truffle anchor werf colmena': { does: platformStage },
    // Their `deploy` goes to what their settings name, such as a chain for tests.
    'cap mup dep forge hardhat': {
      does: [platformStage, liveByVerbs('publish', 'upload')],
    },

    'kubectx kubens': { does: { area: 'stages', stage: { named: 'words', verb: 'use' } }, looks: '[-c|--current] ..0' },

    'invoke inv fab mage grunt gulp poe doit thor pants': { tasks: true, does: taskStage },
  },
  examples: {
    'make deploy-prod': 'deploys a new version, in production',
    'make -n deploy-prod': '',
    'make deploy ENV=staging': 'deploys a new version',
    'bash scripts/migrate_prod.sh': 'changes what runs in production',
    'kubectl config use-context prod': 'changes where later commands act, in production',
    'kubectl scale deployment/api --replicas=3 -n production': 'changes what runs in production',
    'vercel --prod': 'deploys a new version, in production',
    'ansible-playbook -i inventories/production site.yml': 'deploys a new version, in production',
    'pm2 reload api-prod': 'changes what runs in production',
    'git push heroku main': 'deploys a new version, in production',
    'npm run build': '',
  },
}
