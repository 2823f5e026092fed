import { abstains, asks, definePolicy } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'

const esptool: Cli = { valued: 'p b baud chip c', ask: ['erase_flash|erase-flash|erase_region|erase-region'] }
const espefuse: Cli = { valued: 'p b baud chip c', ask: ['burn_*|burn-*|write_protect_efuse|set_flash_voltage'] }
const stm32: Cli = { valued: 'c', oneDash: true, ask: ['-e|-rdu|-ob|--erase|--readunprotect'] }

const table: CliTable = {
  esptool,
  espefuse,
  'st-flash': { ask: ['erase'] },
  stm32_programmer_cli: stm32,
  nrfjprog: { valued: 'f s', ask: ['--eraseall|-e|--recover|--eraseuicr'] },
  nrfutil: { ask: ['device recover|erase'] },
  pyocd: { valued: 't u', ask: ['erase --chip|--mass|-c', 'commander -c~unlock'] },
  openocd: { valued: 'f c s', ask: ['-c~erase_sector', '-c~mass_erase', '-c~erase_address', '-c~unlock'] },
  avrdude: { valued: 'p c P b U', ask: ['-U~lfuse:w', '-U~hfuse:w', '-U~efuse:w', '-U~lock:w', '-e'] },
  'dfu-util': { valued: 'a s D d', ask: ['-s~mass-erase', '-s~unprotect'] },
  picotool: { ask: ['erase', 'otp set|load|permissions'] },
  flashrom: { valued: 'p programmer w write c', ask: ['-E|--erase', '-w|--write'] },
  fwupdmgr: { ask: ['install|update|upgrade|downgrade|reinstall|unlock'] },
  fastboot: {
    valued: 's slot',
    ask: [
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
    ask: ['shell recovery|wipe', 'shell pm uninstall --user=0', 'shell am broadcast --a~master_clear', 'sideload'],
  },
  recovery: { ask: ['--wipe_data', '--wipe_cache'] },
  pm: { ask: ['uninstall --user=0'] },
  xcrun: { ask: ['simctl erase all', 'simctl delete all'] },
  simctl: { ask: ['erase all', 'delete all'] },
  idevicerestore: { ask: ['--erase|-e', '--latest|-l'] },
  keytool: { oneDash: true, ask: ['-delete', '-importkeystore -noprompt'] },
  ipmitool: {
    valued: 'H U P I L f',
    hIsNoHelp: true,
    ask: [
      'chassis power off|cycle|reset|soft',
      'power off|cycle|reset|soft',
      'sel clear',
      'mc reset',
      'user set|disable',
    ],
  },
  racadm: { valued: 'r u p', ask: ['serveraction powerdown|powercycle|hardreset', 'racresetcfg', 'systemerase'] },
}

export default definePolicy({
  id: 'devices',
  severity: 'high',
  description: 'Asks before phones, boards and servers are erased, unlocked, switched off or given other firmware',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params,
  decide: ({ shell, params: given }) =>
    judge(shell, table, given, {
      harm: 'erases, locks or switches off a device, which may not come back',
      instead: 'write only the firmware of this project, or have the person do it with the device at hand',
    }),
  examples: [
    asks('esptool.py --port /dev/ttyUSB0 erase_flash'),
    abstains('esptool.py --port /dev/ttyUSB0 write_flash 0x0 fw.bin'),
    asks('espefuse.py --port /dev/ttyUSB0 burn_efuse JTAG_DISABLE'),
    abstains('espefuse.py --port /dev/ttyUSB0 summary'),
    asks('fastboot flashing unlock'),
    abstains('fastboot devices'),
    asks('avrdude -p m328p -c usbasp -U lfuse:w:0x00:m'),
    abstains('avrdude -p m328p -c usbasp -U flash:w:fw.hex:i'),
    asks('openocd -f b.cfg -c "init; flash erase_sector 0 0 last; exit"'),
    abstains('openocd -f b.cfg -c "program fw.elf verify reset exit"'),
    asks('xcrun simctl erase all'),
    abstains('xcrun simctl list devices'),
    asks('ipmitool -H bmc.example -U admin chassis power off'),
    abstains('ipmitool -H bmc.example chassis status'),
    allowed('fastboot -w', 'fastboot'),
    answered('fastboot -w', 'deny'),
  ],
})
