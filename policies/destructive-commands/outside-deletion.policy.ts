import { abstains, ask, asks, definePolicy, denies, deny } from 'hookgate/policy'
import { isCache } from './caches.ts'
import { deletionsIn, temporaryFolders } from './deletions.ts'
import type { Place } from './places.ts'

/** True for names of a search that begin as somebody called their own: `own-*`, and not `*.sock` or `x*`. */
const areOwnNames = (names: readonly string[]) => names.length > 0 && names.every((name) => /^[\w.-]{3}/.test(name))

const isElsewhere = (place: Place) => place === 'own' || place === 'private' || place === 'outside'

export default definePolicy({
  id: 'outside-deletion',
  severity: 'high',
  description: 'Refuses to delete folders outside the workspace, and whole folders of temporary files',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { access: ['delete'] },
  params: {
    temporaryFolders,
    asksForFiles: {
      type: 'boolean',
      default: false,
      description: 'asks about each deletion outside the workspace and the temporary files, that of one file included',
    },
  },
  decide({ event, shell, params }) {
    const deletions = deletionsIn(shell, event, params.temporaryFolders)
    const all = deletions.filter(
      ({ place, recursive, certain, sought = [] }) =>
        recursive && (place === 'outside' || (place === 'temp' && certain && !areOwnNames(sought))),
    )
    const found = all.find(({ path }) => !isCache(path))
    if (found === undefined) {
      const [cache] = all
      if (cache !== undefined)
        return ask(
          `\`${cache.command.program}\` would delete ${cache.named}, a cache of another user: let the person delete it`,
          { at: cache.at },
        )
      const file = params.asksForFiles
        ? deletions.find(({ place, path }) => isElsewhere(place) && !isCache(path))
        : undefined
      return (
        file &&
        ask(`\`${file.command.program}\` would delete ${file.named}, outside the workspace: let the person delete it`, {
          at: file.at,
        })
      )
    }
    // The name of a path elsewhere says where it is.
    const isThere = found.command.elsewhere === true && found.path.bound !== true
    const named = isThere ? found.named : `${found.named}, which is outside the workspace`
    return deny(
      found.place === 'temp'
        ? `\`${found.command.program}\` would delete ${found.named}, which other programs are using: name only your own files in it`
        : `\`${found.command.program}\` would delete ${named}: let the person do it`,
      { at: found.at },
    )
  },
  examples: [
    denies('another folder', 'rm -rf /data/project'),
    abstains('the same in the workspace', 'rm -rf data/project'),
    denies('beside the workspace', 'rm -rf ../../v/other'),
    abstains('a way out and in again', 'rm -rf ../proj/build'),
    asks("another user's cache", 'rm -rf /Users/a/Library/Caches/pip'),
    denies('what is beside it', 'rm -rf /Users/a/Library/Keychains'),
    asks('one file, where that is asked for', 'rm ~/Downloads/old.zip', { params: { asksForFiles: true } }),
    asks('one file that a loop names', 'for f in a b; do unlink ~/$f.txt; done', { params: { asksForFiles: true } }),
    abstains('a file of the workspace', 'rm src/a.ts', { params: { asksForFiles: true } }),
    abstains('a temporary file', 'rm /tmp/mine.log', { params: { asksForFiles: true } }),
    denies('all of /tmp', 'rm -rf /tmp'),
    abstains('what is in it', 'rm -rf /tmp/mine'),
    abstains('what a search finds in it by a name', "find /tmp -maxdepth 1 -name 'own-*' -exec rm -rf {} +"),
    denies('all that a search finds in it', "find /tmp -mindepth 1 -name '*' -exec rm -rf {} +"),
    denies('a way out of /tmp', 'rm -rf /tmp/../data'),
    denies('a copy that deletes', 'rsync -a --delete a/ /data/b/'),
    abstains('a copy that only says so', 'rsync -an --delete a/ /data/b/'),
    abstains('a temporary folder of their own', 'rm -rf /scratch/a', { params: { temporaryFolders: ['/scratch'] } }),
  ],
})
