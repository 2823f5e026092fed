import type { Family } from '../deeds.ts'
import { accountsAndPayments } from './accounts-and-payments.ts'
import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { backups } from './backups.ts'
import { checks } from './checks.ts'
import { ciCd } from './ci-cd.ts'
import { cloudProviders } from './cloud-providers.ts'
import { codeHosting } from './code-hosting.ts'
import { containers } from './containers.ts'
import { dataPlatforms } from './data-platforms.ts'
import { databaseServers } from './database-servers.ts'
import { defences } from './defences.ts'
import { devices } from './devices.ts'
import { disks } from './disks.ts'
import { dnsAndCdn } from './dns-and-cdn.ts'
import { googleCloud } from './google-cloud.ts'
import { hosting } from './hosting.ts'
import { infrastructureAsCode } from './infrastructure-as-code.ts'
import { kubernetes } from './kubernetes.ts'
import { loadBalancers } from './load-balancers.ts'
import { machine } from './machine.ts'
import { messaging } from './messaging.ts'
import { migrations } from './migrations.ts'
import { mirrors } from './mirrors.ts'
import { monitoring } from './monitoring.ts'
import { outgoingMessages } from './outgoing-messages.ts'
import { openedAccess } from './opened-access.ts'
import { packages } from './packages.ts'
import { programs } from './programs.ts'
import { releases } from './releases.ts'
import { schedules } from './schedules.ts'
import { secretStores } from './secret-stores.ts'
import { stages } from './stages.ts'
import { storage } from './storage.ts'
import { systemPackages } from './system-packages.ts'
import { systemServices } from './system-services.ts'
import { trash } from './trash.ts'
import { versionControl } from './version-control.ts'
import { windows } from './windows.ts'

/** All families of programs. To add a program, add it to the family it belongs to. */
export const families: readonly Family[] = [
  kubernetes,
  aws,
  azure,
  googleCloud,
  cloudProviders,
  hosting,
  dataPlatforms,
  databaseServers,
  migrations,
  messaging,
  storage,
  mirrors,
  backups,
  containers,
  infrastructureAsCode,
  releases,
  ciCd,
  codeHosting,
  versionControl,
  secretStores,
  accountsAndPayments,
  outgoingMessages,
  monitoring,
  dnsAndCdn,
  loadBalancers,
  openedAccess,
  systemServices,
  machine,
  disks,
  trash,
  defences,
  checks,
  windows,
  devices,
  packages,
  systemPackages,
  schedules,
  programs,
  stages,
]
