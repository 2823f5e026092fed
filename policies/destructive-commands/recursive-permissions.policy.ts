import { abstains, ask, asks, definePolicy, denies, deny, placedName, type PolicyAnswer } from 'hookgate/policy'
import { aroundOf, everyFileIn, finderOf, nameOf } from './deletions.ts'
import { type Place, placeOf } from './places.ts'

const isVital = (place: Place, all: boolean) => place === 'system' || (all && (place === 'home' || place === 'own'))
const isOutside = (place: Place) => ['outside', 'installed', 'unknown', 'private'].includes(place)

const wherein = {
  system: 'which the system depends on',
  home: 'a home directory, which its owner depends on',
  own: 'in a home directory, which its owner depends on',
}

/** What a new mode or owner means for who can use a file, in words. */
const rightsText = (rights: readonly string[]) =>
  rights.includes('all-write') ? 'let everybody on the machine change' : 'change who can use'

export default definePolicy({
  id: 'recursive-permissions',
  severity: 'high',
  description: "Refuses to change modes and owners of the system's and the home directory's files, singly or by folder",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { access: ['rights'] },
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      for (const path of command.paths) {
        if (path.change !== 'rights') continue
        const { rights = [] } = path
        const found =
          path.unresolved === true && path.absolute !== undefined && finderOf(command, path, shell) !== undefined
        const all = path.recursive === true || found
        const place = placeOf(path, around)
        const named = placedName(nameOf(path), path, command, shell)
        if (isVital(place, all) && (path.unresolved !== true || found || path.absolute === '/')) {
          return deny(
            `\`${command.program}\` would ${rightsText(rights)} ${named}, ${wherein[place === 'system' || place === 'home' ? place : 'own']}: ` +
              'change only files in the workspace',
            { at },
          )
        }
        const open = all && rights.includes('all-write') && place !== 'in-temp'
        if (isVital(place, all) || open || (all && isOutside(place)) || rights.includes('as-owner')) {
          question ??= ask(
            rights.includes('as-owner')
              ? `\`${command.program}\` would have ${named} run with the rights of its owner, whoever starts it: leave that out`
              : `\`${command.program}\` would ${rightsText(rights)} ${everyFileIn(named)}: name single files`,
            { at },
          )
        }
      }
    }
    return question
  },
  examples: [
    denies('everything', 'chmod -R 777 /'),
    abstains('a script', 'chmod 755 run.sh'),
    denies('a file of the system', 'chmod 777 /etc/passwd'),
    abstains('one called like it', 'chmod 644 etc/passwd'),
    denies('the home directory', 'sudo chown -R root ~'),
    denies('a home among temporary files', 'chmod -R 777 ~', { home: '/tmp/agent' }),
    abstains('temporary files beside the home', 'chmod -R 777 /tmp/build', { home: '/tmp/agent' }),
    abstains('the build', 'chown -R me build'),
    denies('by find', 'find / -exec chmod 000 {} +'),
    abstains('by find in the workspace', 'find . -exec chmod 644 {} +'),
    asks('all of the workspace to everybody', 'chmod -R 777 .'),
    abstains('all of it to its owner', 'chmod -R u+w .'),
    asks('a program that runs as its owner', 'chmod u+s tool'),
    abstains('a program that runs', 'chmod u+x tool'),
  ],
})
