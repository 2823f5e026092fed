import type { Deeds, Family } from '../deeds.ts'

const esptool: Deeds = { valued: 'p b baud chip c', work: ['erase_flash|erase-flash|erase_region|erase-region'] }

const espefuse: Deeds = { valued: 'p b baud chip c', work: ['burn_*|burn-*|write_protect_efuse|set_flash_voltage'] }

const stm32: Deeds = { valued: 'c', oneDash: true, work: ['-e|-rdu|-ob|--erase|--readunprotect'] }

const programs: Family['programs'] = {
  esptool,
  espefuse,
  'st-flash': { work: ['erase'] },
  stm32_programmer_cli: stm32,
  nrfjprog: { valued: 'f s', work: ['--eraseall|-e|--recover|--eraseuicr'] },
  nrfutil: { work: ['device recover|erase'] },
  pyocd: { valued: 't u', work: ['erase --chip|--mass|-c', 'commander -c~unlock'] },
  openocd: { valued: 'f c s', work: ['-c~erase_sector', '-c~mass_erase', '-c~erase_address', '-c~unlock'] },
  avrdude: { valued: 'p c P b U', work: ['-U~lfuse:w', '-U~hfuse:w', '-U~efuse:w', '-U~lock:w', '-e'] },
  'dfu-util': { valued: 'a s D d', work: ['-s~mass-erase', '-s~unprotect'] },
  picotool: { work: ['erase', 'otp set|load|permissions'] },
  flashrom: { valued: 'p programmer w write c', work: ['-E|--erase', '-w|--write'] },
  fwupdmgr: { work: ['install|update|upgrade|downgrade|reinstall|unlock'] },
  fastboot: {
    valued: 's slot',
    work: [
      '-w',
      'erase|format',
      'flashing unlock|unlock_critical|lock',
      'oem unlock|lock',
      'flashall',
      'delete-logical-partition',
    ],
  },
  adb: {
    valued: 's t',
    work: ['shell recovery|wipe', 'shell pm uninstall --user=0', 'shell am broadcast --a~master_clear', 'sideload'],
  },
  recovery: { work: ['--wipe_data', '--wipe_cache'] },
  pm: { work: ['uninstall --user=0'] },
  xcrun: { work: ['simctl erase all', 'simctl delete all'] },
  simctl: { work: ['erase all', 'delete all'] },
  idevicerestore: { work: ['--erase|-e', '--latest|-l'] },
  keytool: { oneDash: true, work: ['-delete', '-importkeystore -noprompt'] },
  ipmitool: {
    valued: 'H U P I L f',
    hIsNoHelp: true,
    work: [
      'chassis power off|cycle|reset|soft',
      'power off|cycle|reset|soft',
      'sel clear',
      'mc reset',
      'user set|disable',
    ],
  },
  racadm: { valued: 'r u p', work: ['serveraction powerdown|powercycle|hardreset', 'racresetcfg', 'systemerase'] },
}

export const devices: Family = { area: 'devices', thing: 'machine', programs }
