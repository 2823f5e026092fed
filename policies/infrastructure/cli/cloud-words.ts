import type { Danger, Words } from './judge.ts'

const records =
  /\b(?:\w*trails?|logs?|log-\w+|logging|flow-logs|audit\w*|detector|guardduty|securityhub|recorder|configuration-recorder|alarms?|alarm-\w+|monitors?|diagnostic-settings|sinks?|alerts?|alert-\w+|defender)\b/
const keys = /\b(?:kms|key-deletion|keyvault|keys?|cryptokeys?|versions destroy)\b/
const ends = /\b(?:stop|disable|suspend|pause|deactivate|detach|deallocate|drain)(?:-|\b)/

/** Returns the wording for a command of a cloud by what it takes away: the record of what happened, a key, a service, or all else. */
export const cloudWords =
  (base: Words) =>
  ({ words }: Danger): Words => {
    if (records.test(words))
      return {
        harm: 'ends or deletes the record, or the alarm, by which people learn what happens in the account',
        instead: 'leave it on, read it (`describe`, `list`), or have the person change it',
      }
    if (keys.test(words))
      return {
        harm: 'takes away a key, and all that it encrypts or lets in is lost with it',
        instead: 'find out what uses it first, make a new one beside it, or have the person do it',
      }
    if (ends.test(words))
      return {
        harm: 'stops or switches off what others in the account rely on',
        instead: 'look at its state first (`describe`, `list`), use an account for trials, or have the person do it',
      }
    return base
  }
