import * as effects from '../effects.ts'
import type { Effect } from '../language.ts'

const { both, deletes, deletesIf, marks, opens, reads, writes } = effects

export const moves = both(deletes(0), writes(1))
export const copies = both(reads(0), writes(1))

/** By the names that fs, its promises and fs-extra share; those with `Sync` are the same. */
export const files: Readonly<Record<string, Effect>> = {
  unlink: deletes(0),
  rm: deletesIf(0, 'recursive'),
  rmdir: deletesIf(0, 'recursive'),
  rename: moves,
  writeFile: writes(0),
  appendFile: writes(0),
  createWriteStream: writes(0),
  truncate: writes(0),
  mkdir: writes(0),
  mkdtemp: writes(0),
  chmod: marks(0),
  lchmod: marks(0),
  chown: marks(0),
  lchown: marks(0),
  utimes: marks(0),
  copyFile: copies,
  cp: copies,
  link: both(marks(0), writes(1)),
  symlink: both(reads(0), writes(1)),
  readFile: reads(0),
  createReadStream: reads(0),
  readdir: effects.listsNames,
  opendir: effects.listsFolder,
  open: opens(0, 1),
  realpath: effects.same,
  remove: deletes(0, true),
  emptyDir: deletes(0, true),
  move: moves,
  copy: copies,
  outputFile: writes(0),
  outputJson: writes(0),
  writeJson: writes(0),
  writeJSON: writes(0),
  readJson: reads(0),
  ensureDir: writes(0),
  ensureFile: writes(0),
}
