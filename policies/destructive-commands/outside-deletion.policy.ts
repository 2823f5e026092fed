import { definePolicy, deny } from 'hookgate/policy'
import { deletionsIn, temporaryFolders } from './deletions.ts'

export default definePolicy({
  id: 'outside-deletion',
  severity: 'high',
  description: 'Refuses to delete folders outside the workspace, and whole folders of temporary files',
  on: 'PreToolUse',
  tool: 'shell',
  params: { temporaryFolders },
  decide({ event, shell, params }) {
    const found = deletionsIn(shell, event, params.temporaryFolders).find(
      ({ place, recursive, certain }) => recursive && (place === 'outside' || (place === 'temp' && certain)),
    )
    if (found === undefined) return undefined
    return deny(
      found.place === 'temp'
        ? `${found.command.program} would delete ${found.named}, which other programs are using: name only your own files in it`
        : `${found.command.program} would delete ${found.named}, which is outside the workspace: let the person do it`,
      { at: found.at },
    )
  },
  examples: [
    { name: 'another folder', given: { input: { command: 'rm -rf /data/project' } }, want: 'deny' },
    { name: 'the same in the workspace', given: { input: { command: 'rm -rf data/project' } }, want: 'abstain' },
    { name: 'beside the workspace', given: { input: { command: 'rm -rf ../../v/other' } }, want: 'deny' },
    { name: 'a way out and in again', given: { input: { command: 'rm -rf ../proj/build' } }, want: 'abstain' },
    { name: 'all of /tmp', given: { input: { command: 'rm -rf /tmp' } }, want: 'deny' },
    { name: 'what is in it', given: { input: { command: 'rm -rf /tmp/mine' } }, want: 'abstain' },
    { name: 'a way out of /tmp', given: { input: { command: 'rm -rf /tmp/../data' } }, want: 'deny' },
    { name: 'a copy that deletes', given: { input: { command: 'rsync -a --delete a/ /data/b/' } }, want: 'deny' },
    {
      name: 'a copy that only says so',
      given: { input: { command: 'rsync -an --delete a/ /data/b/' } },
      want: 'abstain',
    },
    {
      name: 'a temporary folder of their own',
      given: { input: { command: 'rm -rf /scratch/a' }, params: { temporaryFolders: ['/scratch'] } },
      want: 'abstain',
    },
  ],
})
