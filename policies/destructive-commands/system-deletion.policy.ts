import { ask, definePolicy, deny, type ShellCommand } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

/** Devices that are there to be written to are no paths to the facts of a command. */
const deletesDevice = ({ program, args }: ShellCommand) =>
  /^(?:rm|unlink|mv|shred)$/.test(program) &&
  args.some(({ value }) => /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd|ptmx|console)$/.test(value))

export default definePolicy({
  id: 'system-deletion',
  severity: 'critical',
  description: 'Refuses to delete parts of the system, with any program',
  on: 'PreToolUse',
  tool: 'shell',
  params: { temporaryFolders },
  decide({ event, shell, params }) {
    const deletions = deletionsIn(shell, event, params.temporaryFolders)
    const system = deletions.find(
      ({ place, path, certain }) => place === 'system' && (certain || path.absolute === '/'),
    )
    if (system !== undefined) {
      return deny(
        `${system.command.program} would delete ${system.named}, which is part of the system: ` +
          'name the one file or folder in the workspace that should be deleted',
        { at: system.at },
      )
    }
    const device = shell.commands.findIndex(deletesDevice)
    if (device !== -1) return deny('all programs need what is in /dev: leave it alone', { at: device })
    const installed = deletions.find(({ place }) => place === 'installed' || place === 'system')
    if (installed === undefined) return undefined
    return ask(
      `${installed.command.program} would delete ${installed.named} from a system folder: ` +
        'remove it with the program that installed it',
      { at: installed.at },
    )
  },
  examples: [
    { name: 'the root', given: { input: { command: 'rm -rf /' } }, want: 'deny' },
    { name: 'the root, as text', given: { input: { command: 'echo "rm -rf /"' } }, want: 'abstain' },
    { name: 'all in the root', given: { input: { command: 'rm -rf /*' } }, want: 'deny' },
    { name: 'all in a folder of the workspace', given: { input: { command: 'rm -rf build/*' } }, want: 'abstain' },
    { name: 'a folder of the system', given: { input: { command: 'rm -r /usr/lib' } }, want: 'deny' },
    { name: 'one of that name in the workspace', given: { input: { command: 'rm -r usr/lib' } }, want: 'abstain' },
    { name: 'by a pattern', given: { input: { command: 'rm -rf /e[t]c' } }, want: 'deny' },
    { name: 'by find', given: { input: { command: 'find / -delete' } }, want: 'deny' },
    { name: 'by a find that only prints', given: { input: { command: 'find / -name x -print' } }, want: 'abstain' },
    {
      name: 'by Python',
      given: { input: { command: `python3 -c "import shutil; shutil.rmtree('/')"` } },
      want: 'deny',
    },
    { name: 'from within', given: { input: { command: 'cd / && rm -rf *' } }, want: 'deny' },
    { name: 'from within a temporary folder', given: { input: { command: 'cd /tmp/x && rm -rf *' } }, want: 'abstain' },
    { name: 'a file of the system', given: { input: { command: 'rm /etc/passwd' } }, want: 'deny' },
    { name: 'a device', given: { input: { command: 'rm -f /dev/null' } }, want: 'deny' },
    { name: 'what somebody has installed', given: { input: { command: 'rm -rf /usr/local/tool' } }, want: 'ask' },
    { name: 'a file in /tmp', given: { input: { command: 'rm /tmp/a' } }, want: 'abstain' },
  ],
})
