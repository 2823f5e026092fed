import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from '../../files/private-folder.ts'

/** The files in which systems keep an id of the machine. */
const systemFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * Returns a text that stays the same on this machine: a hash of the system's own id, which must not be told to others, or
 * one that is kept in the folder. Two users of a machine are in the same cohort where the system has an id.
 */
export function machineIdIn(folder: string, { isNew = false } = {}): string {
  const own = [...systemFiles, join(folder, 'machine-id')].map(read).find((text) => text !== '')
  if (own !== undefined) return createHash('sha256').update(`hookgate bundle\0${own}`).digest('hex')
  if (!isNew) return ''
  makePrivate(join(folder, 'machine-id'), `${randomUUID()}\n`)
  return machineIdIn(folder)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
