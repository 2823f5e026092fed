import type { Family } from '../program.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import { written, type Deed, type DeedCondition } from '../deeds/deeds.ts'

/** Matches a drive, or a folder of Windows, of its programs or of its users. */
export const vitalFolder =
  /(?:^|[\s"'])(?:[\\/]\*?|~[\\/]?\*?|[a-z]:(?:[\\/]{0,4}(?:windows|users|program files|programdata|boot|recovery)?[^\s"'\\/]*)?(?:[\\/]{0,4}\*(?:\.\*)?)?|%(?:systemdrive|systemroot|windir|userprofile|programfiles|homepath|homedrive)%\S*|\$env:(?:systemdrive|systemroot|windir|userprofile|programfiles|home)\S*|\$home)[\\/]{0,4}(?=$|[\s"',])/i

/** Matches the option by which `cmd` deletes in all folders below. `a/sub` does not contain it. */
export const allBelow = /(?:^|\s)(?:\/[a-rt-z])*\/s(?:\/[a-z])*(?=\s|$)/i
/** Matches operands of `del /s` that may reach further than files of one kind below this folder. */
export const farReaching = /[a-z]:|\\|%|\*|\//

/** Folders and files of Windows itself; a shell may have taken the backslashes away. */
export const systemPaths =
  /(?:\b[a-z]:[\\/]*(?:windows|program ?files|system volume)|%(?:systemroot|windir|programfiles)%|\$env:(?:systemroot|windir))/i

const drive = { kind: 'delete', object: 'everything on a drive', names: 'none' } as const
const boot = { kind: 'change', object: 'how this machine boots', names: 'none' } as const
const settings = { kind: 'change', object: 'settings of the system', names: 'none' } as const
const access = { kind: 'change', thing: 'account', names: 'none' } as const
export const accessOfSystem = { ...access, object: 'who can use the files of the system' } as const
const accessOfMany = { ...access, object: 'who can use the files of a folder' } as const
const backup = { thing: 'backup', names: 'none' } as const

/** Make a deed of commands whose arguments match an expression, since options stand anywhere in commands of Windows. */
export const never = (like: RegExp, deed: Deed): Deed => ({ ...deed, never: [''], when: written(like) })
export const work = (like: RegExp, deed: Deed): Deed => ({ ...deed, work: [''], when: written(like) })

export const deletion = { kind: 'delete', thing: 'data', names: 'none' } as const
export const folder = { ...deletion, object: 'folders, with everything in them' } as const
export const systemFolder = { ...deletion, object: 'folders of the system' } as const

export const recursive = /(?:^| )-r(?:ecurse|ecu|ec|e)?(?: |:|$)/i

/** True if a deletion gets its files from a recursive listing. */
export const isOfListing: DeedCondition = ({ at, args }, _, { commands }) =>
  !args.some(({ value }) => recursive.test(value)) &&
  [commands[at - 1], commands[at - 2]].some(listsDeep) &&
  args.every(({ value }) => value.startsWith('-'))
const listsDeep = (command: ShellCommand | undefined) =>
  command !== undefined &&
  /^(?:get-childitem|gci)$/.test(command.program) &&
  command.args.some(({ value }) => /^-(?:r(?:ec(?:urse)?)?|s)$/i.test(value))

const programs: Family['programs'] = {
  rmdir: {
    options: '+parents +ignore-fail-on-non-empty +verbose',
    operands: 'delete',
    silent: true,
    ignoresStdin: true,
    saysWhatStarts: true,
    does: { also: [never(vitalFolder, systemFolder), work(allBelow, folder)] },
  },
  rd: { does: { also: [never(vitalFolder, systemFolder), work(allBelow, folder)] } },
  deltree: { does: { ...folder, never: [''] } },

  format: { does: never(/(?:^| )[a-z]:/i, drive) },
  cipher: { does: never(/\/w/i, { ...drive, object: 'what is left of deleted files on a drive' }) },
  'diskpart format-volume clear-disk initialize-disk remove-partition reset-physicaldisk remove-virtualdisk': {
    does: {
      ...drive,
      never: [''],
    },
  },
  vssadmin: { does: never(/delete|resize/i, { ...backup, kind: 'delete', object: 'shadow copies' }) },
  wbadmin: {
    does: {
      ...backup,
      says: {
        'disable|stop': { kind: 'stop', object: 'the backups of this machine' },
        start: { kind: 'overwrite', object: 'this machine with a backup' },
      },
      kind: 'delete',
      object: 'backups',
      never: ['delete *', 'disable backup'],
      work: ['stop job', 'start *recovery'],
    },
  },
  wmic: {
    does: {
      also: [
        never(/shadowcopy(?:(?!shadowcopy).)*delete/i, { ...backup, kind: 'delete', object: 'shadow copies' }),
        never(/logicaldisk.*format/i, drive),
        never(/useraccount.*(?:delete|rename)/i, { ...access, object: 'users of this machine' }),
        work(/process call create|\bdelete\b|\bcall\b/i, { ...settings, object: 'what runs on this machine' }),
      ],
    },
  },
  reg: {
    does: [
      { area: 'containers', kind: 'delete', object: 'image', thing: 'package', never: ['rm'] },
      {
        also: [
          never(/^delete .*(?:hklm|hkey_local_machine|hkcr|hkcu\\software(?: |$))/i, { ...settings, kind: 'delete' }),
          work(/^(?:delete|import|unload)/i, settings),
        ],
      },
    ],
  },
  // Without its entry for it, a machine is not restored.
  bcdedit: { does: never(/\/(?:delete|set|deletevalue|import)/i, { ...boot, thing: 'backup' }) },
  'bootrec bcdboot': { does: never(/\/(?:fixmbr|rebuildbcd|clean|fixboot)/i, boot) },
  fsutil: {
    does: never(/usn(?:(?!usn).)*delete|setzerodata|volume dismount|file setvaliddata/i, {
      kind: 'change',
      object: 'how a drive keeps its files',
      names: 'none',
    }),
  },

  'remove-itemproperty clear-item': { does: { ...settings, work: [''] } },

  'clear-recyclebin': { does: { kind: 'delete', object: 'everything in the trash', names: 'none', never: [''] } },
  'disable-computerrestore': {
    does: { kind: 'stop', object: 'the restoring of this machine', names: 'none', never: [''] },
  },
  'remove-localuser': { does: { kind: 'delete', object: 'user', thing: 'account', never: [''] } },
  takeown: { does: { also: [never(systemPaths, accessOfSystem), never(/(?:^|\s)\/r(?=\s|$)/i, accessOfMany)] } },
  'icacls cacls': {
    does: {
      also: [
        {
          ...accessOfSystem,
          never: [''],
          when: (call, line, shell) =>
            written(systemPaths)(call, line, shell) &&
            written(/\/(?:g|p|grant|reset|setowner|deny|remove|inheritance|restore)\b/i)(call, line, shell),
        },
        never(/\/(?:reset|grant|t).*\/t|\/t.*\/(?:reset|grant)/i, accessOfMany),
      ],
    },
  },

  schtasks: { does: work(/\/(?:delete|create|change)/i, { ...settings, object: 'what runs later on this machine' }) },
  'set-executionpolicy': {
    does: work(/(?:bypass|unrestricted).*localmachine|localmachine.*(?:bypass|unrestricted)/i, {
      kind: 'weaken',
      thing: 'guard',
      object: 'what keeps scripts from being run',
      names: 'none',
    }),
  },
}

/** Programs and cmdlets that only Windows has. Programs that other systems have too are in other families. */
export const windows: Family = {
  area: 'windows',

  programs,
  examples: {
    'format C: /q': 'deletes everything on a drive, for good',
    'vssadmin delete shadows /all': 'deletes shadow copies, from which other things are restored, for good',
    'vssadmin list shadows': '',
    'wbadmin delete catalog': 'deletes backups, from which other things are restored, for good',
    'bcdedit /set safeboot minimal': 'changes how this machine boots',
    'bcdedit /enum': '',
    'reg delete HKLM\\\\Software\\\\A /f': 'deletes settings of the system, for good; changes settings of the system',
    'schtasks /query': '',
    'takeown /f build /r': 'changes who can use the files of a folder',
  },
}
