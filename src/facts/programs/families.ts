import { accountsAndPayments } from './families/accounts-and-payments.ts'
import { archives, tar } from './families/archives.ts'
import { attackTools } from './families/attack-tools.ts'
import { aws } from './families/aws.ts'
import { azure } from './families/azure.ts'
import { backups } from './families/backups.ts'
import { batchQueues } from './families/batch-queues.ts'
import { builds } from './families/builds.ts'
import { builtins } from './families/builtins.ts'
import { bulkEdits } from './families/bulk-edits.ts'
import { checkers, checks } from './families/checkers.ts'
import { ciCd } from './families/ci-cd.ts'
import { cloudProviders } from './families/cloud-providers.ts'
import { cmdlets, windowsShells } from './families/powershell.ts'
import { codeHosting } from './families/code-hosting.ts'
import { commands, system } from './families/system.ts'
import { configurationManagement } from './families/configuration-management.ts'
import { containers, virtualMachines } from './families/containers.ts'
import { coreutils } from './families/coreutils.ts'
import { dataPlatforms } from './families/data-platforms.ts'
import { databaseBackups, databaseServers } from './families/database-servers.ts'
import { databases } from './families/databases.ts'
import { defences, machine } from './families/machine.ts'
import { devices } from './families/devices.ts'
import { disks, trash } from './families/disks.ts'
import { dnsAndCdn, loadBalancers } from './families/dns-and-cdn.ts'
import { editors } from './families/editors.ts'
import { environments, launchers } from './families/launchers.ts'
import { firewalls } from './families/firewalls.ts'
import { finders } from './families/find.ts'
import { git } from './families/git.ts'
import { googleCloud } from './families/google-cloud.ts'
import { helm, kubernetes } from './families/kubernetes.ts'
import { hosting } from './families/hosting.ts'
import { httpClients } from './families/http.ts'
import { infrastructureAsCode } from './families/infrastructure-as-code.ts'
import { interpreters } from './families/interpreters.ts'
import { keysAndCertificates } from './families/keys-and-certificates.ts'
import { macos } from './families/macos.ts'
import { messaging } from './families/messaging.ts'
import { migrations } from './families/migrations.ts'
import { mirrors } from './families/mirrors.ts'
import { monitoring } from './families/monitoring.ts'
import { namespaces, privileges } from './families/namespaces.ts'
import { notebooks } from './families/notebooks.ts'
import { network, servers } from './families/network.ts'
import { objectStores } from './families/object-stores.ts'
import { openedAccess, remote } from './families/remote.ts'
import { otherLanguages } from './families/other-languages.ts'
import { outgoingMessages } from './families/outgoing-messages.ts'
import { packages, versionManagers } from './families/packages.ts'
import { nodePackages } from './families/node-packages.ts'
import { pythonPackages } from './families/python-packages.ts'
import { pythons } from './families/python.ts'
import { parallel, xargs } from './families/parallel.ts'
import { processes } from './families/processes.ts'
import { publishers, stages } from './families/publishers.ts'
import { readers } from './families/readers.ts'
import { releases } from './families/releases.ts'
import { requestRunners } from './families/request-runners.ts'
import { schedules } from './families/schedules.ts'
import { search } from './families/search.ts'
import { secretStores } from './families/secret-stores.ts'
import { serviceManagers } from './families/service-managers.ts'
import { shells } from './families/shells.ts'
import { sqlClients } from './families/sql-clients.ts'
import { storage, volumes } from './families/storage.ts'
import { streamEditors } from './families/stream-editors.ts'
import { systemPackages } from './families/system-packages.ts'
import { systemServices } from './families/system-services.ts'
import { terminals } from './families/terminals.ts'
import { terraforming } from './families/terraform.ts'
import { versionControl } from './families/version-control.ts'
import { wallets } from './families/wallets.ts'
import { webSites } from './families/web-sites.ts'
import { windows } from './families/windows.ts'
import type { Family } from './program.ts'

/** All families of programs. To add a program, add it to the family it belongs to. */
export const families: readonly Family[] = [
  kubernetes,
  aws,
  objectStores,
  azure,
  googleCloud,
  cloudProviders,
  hosting,
  webSites,
  dataPlatforms,
  databaseServers,
  migrations,
  messaging,
  storage,
  mirrors,
  backups,
  databaseBackups,
  terraforming,
  infrastructureAsCode,
  configurationManagement,
  helm,
  releases,
  requestRunners,
  ciCd,
  codeHosting,
  versionControl,
  secretStores,
  keysAndCertificates,
  accountsAndPayments,
  outgoingMessages,
  monitoring,
  dnsAndCdn,
  loadBalancers,
  openedAccess,
  serviceManagers,
  sqlClients,
  systemServices,
  firewalls,
  batchQueues,
  wallets,
  machine,
  disks,
  volumes,
  trash,
  defences,
  checks,
  windows,
  devices,
  systemPackages,
  schedules,
  processes,
  publishers,
  stages,
  archives,
  builds,
  builtins,
  bulkEdits,
  checkers,
  cmdlets,
  containers,
  virtualMachines,
  coreutils,
  databases,
  editors,
  environments,
  finders,
  git,
  httpClients,
  interpreters,
  pythons,
  launchers,
  namespaces,
  network,
  attackTools,
  notebooks,
  otherLanguages,
  packages,
  nodePackages,
  pythonPackages,
  parallel,
  windowsShells,
  privileges,
  readers,
  remote,
  search,
  servers,
  shells,
  streamEditors,
  system,
  tar,
  terminals,
  versionManagers,
  xargs,
  commands,
  macos,
]
