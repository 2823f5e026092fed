import { abstains, ask, asks, definePolicy, impactReason } from 'hookgate/policy'

export default definePolicy({
  id: 'secret-hunts',
  description: 'Asks before keys and passwords are searched for in a home, a machine or the whole of a history',
  severity: 'high',
  on: 'PreToolUse',
  tool: ['shell', 'search'],
  interest: { impacts: ['show'] },
  decide({ impacts }) {
    const found = impacts.find(({ area }) => area === 'secret-searches')
    return found && ask(impactReason(found), { at: found.by })
  },
  examples: [
    asks('over a home', 'grep -rE "AKIA[0-9A-Z]{16}" ~'),
    abstains('in the project', 'grep -rn password src'),
    asks('in all of a history', 'git log -p --all -S AKIA'),
    abstains('in the history of a file', 'git log -p --all -S AKIA -- src/a.ts'),
    asks('by another program', 'find / -type f -exec grep -l "PRIVATE KEY" {} +'),
    abstains('for something else', 'grep -rn "keyboard" ~'),
    asks('in what a log prints', 'git log -p --all | grep -i api_key'),
    abstains('among titles', 'git log --oneline --all | grep -i password'),
    asks('by a program made for it', 'trufflehog filesystem ~'),
    abstains('by it, in the project', 'trufflehog filesystem .'),
    asks('by a script made for it', 'bash /tmp/linpeas.sh'),
    abstains('a text about such a script', 'cat docs/linpeas.sh'),
    abstains('only printed', 'echo grep -r AKIA ~'),
    asks('whatever it is', 'grep -r . ~'),
    abstains('names of files', 'rg --files ~'),
    asks('by a tool', { tool: 'search', input: { path: '/home/u', pattern: 'PRIVATE KEY' } }),
    asks('whatever it is, by a tool', { tool: 'search', input: { path: '~', pattern: '.*' } }),
    abstains('something else by a tool', { tool: 'search', input: { path: '~', pattern: 'useEffect' } }),
    abstains('by a tool, in the project', { tool: 'search', input: { path: 'src', pattern: 'password' } }),
  ],
})
