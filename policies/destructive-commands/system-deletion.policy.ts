import { abstains, ask, asks, definePolicy, denies, deny } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

export default definePolicy({
  id: 'system-deletion',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to delete parts of the system, with any program',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'prompt'],
  interest: { access: ['delete'] },
  params: { temporaryFolders },
  decide({ event, shell, params }) {
    const deletions = deletionsIn(shell, event, params.temporaryFolders)
    const system = deletions.find(
      ({ place, path, certain }) => place === 'system' && (certain || path.absolute === '/'),
    )
    if (system !== undefined) {
      return deny(
        `\`${system.command.program}\` would delete ${system.named}, which is part of the system: ` +
          'name the one file or folder in the workspace that should be deleted',
        { at: system.at },
      )
    }
    const installed = deletions.find(({ place }) => place === 'installed' || place === 'system')
    if (installed === undefined) return undefined
    return ask(
      `\`${installed.command.program}\` would delete ${installed.named} from a system folder: ` +
        'remove it with the program that installed it',
      { at: installed.at },
    )
  },
  examples: [
    denies('a folder of the system, where the workspace is the whole disk', 'rm -rf /etc', { cwd: '/' }),
    denies('the root', 'rm -rf /'),
    abstains('the root, as text', 'echo "rm -rf /"'),
    denies('all in the root', 'rm -rf /*'),
    abstains('all in a folder of the workspace', 'rm -rf build/*'),
    denies('a folder of the system', 'rm -r /usr/lib'),
    abstains('one of that name in the workspace', 'rm -r usr/lib'),
    denies('by a pattern', 'rm -rf /e[t]c'),
    denies('by find', 'find / -delete'),
    abstains('by a find that only prints', 'find / -name x -print'),
    denies('by Python', `python3 -c "import shutil; shutil.rmtree('/')"`),
    denies('from within', 'cd / && rm -rf *'),
    abstains('from within a temporary folder', 'cd /tmp/x && rm -rf *'),
    denies('a file of the system', 'rm /etc/passwd'),
    denies('a device', 'rm -f /dev/null'),
    asks('what was installed', 'rm -rf /usr/local/tool'),
    abstains('a file in /tmp', 'rm /tmp/a'),
  ],
})
