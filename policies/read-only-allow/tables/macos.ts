import type { Table } from '../call.ts'

const oneDash = true as const

/** Programs of macOS. Many take their subcommands as options with one dash. */
export const macos: Readonly<Record<string, Table>> = {
  defaults: { valued: 'host', flags: 'currentHost', oneDash, lines: '\nread,read-type,domains,find,help\n' },
  diskutil: { lines: '\nlist,info,listFilesystems\n' },
  hdiutil: { oneDash, lines: '\ninfo,imageinfo,help,verify,checksum,pmap,plugins,isencrypted,fsid\n' },
  dscl: {
    oneDash,
    valued: 'u P f',
    flags: 'q raw plist url p',
    lines:
      '\n* +read,readall,readpl,readpli,list,search,diff !create !createpl !createpli !append !merge !delete !deletepl !deletepli !change !changei !passwd\n* read,readall,list,search,diff\n+list ~list\n',
  },
  dscacheutil: { oneDash, lines: '\n+q,cachedump,configuration,statistics !flushcache\n' },
  scutil: { oneDash, lines: '\n+get,dns,proxy,nwi,r,W !set !prefs !renew !allow-new-interfaces\n' },
  security: {
    flags: 'v q l',
    lines: `
find-certificate,find-identity,show-keychain-info,dump-trust-settings,verify-cert,error,help
find-generic-password,find-internet-password !g !w
get-identity-preference,translocate-policy-check
`,
  },
  launchctl: {
    lines:
      '\nlist,print,print-cache,print-disabled,plist,procinfo,hostinfo,resolveport,blame,dumpstate,managerpid,manageruid,managername,error,variant,version,help,getenv,dumpjpcategory\n',
  },
  pkgutil: {
    valued: 'volume',
    oneDash,
    flags: 'v verbose f force r regexp',
    refused: 'flatten flatten-full expand expand-full forget unlink learn edit-pkg repair',
    lines:
      '\n+pkgs,pkgs-plist,packages,files,lsbom,export-plist,pkg-info,pkg-info-plist,pkg-groups,groups,groups-plist,group-pkgs,file-info,file-info-plist,check-signature,payload-files,only-files,only-dirs,h,help\n',
  },
  plutil: {
    oneDash,
    lines:
      '\n+p,lint,help,type !o !e !convert !insert !replace !remove !create\n!convert !insert !replace !remove !create !o !e !extract >0 ~s\n',
  },
  profiles: { oneDash, lines: '\nlist,show,status,version,help\n+P,L,C,list ~P ~L ~C ~list ~v ~verbose\n' },
  sample: { oneDash, lines: '\n!file !e >0\n' },
  sips: {
    oneDash,
    lines:
      '\n+g,getProperty,h,help,H,helpProperties,v,version,formats,verify ~g ~getProperty ~h ~help ~H ~helpProperties ~v ~version ~1 ~verify ~formats\n',
  },
  spctl: {
    oneDash,
    valued: 't type context',
    lines:
      '\n+a,assess,status,disable-status,list ~a ~assess ~status ~disable-status ~list ~v ~verbose ~vv ~vvv ~vvvv ~raw ~ignore-cache ~no-cache ~t ~type ~context ~continue\n',
  },
  symbols: { oneDash, lines: '\n!saveSignature !o !symbolsPackageDir >0\n' },
  tmutil: {
    lines:
      '\nhelp,version,listbackups,latestbackup,machinedirectory,destinationinfo,listlocalsnapshots,listlocalsnapshotdates,status,currentphase,isexcluded,compare,uniquesize,calculatedrift,verifychecksums\n',
  },
  xattr: { lines: '\n!w !d !c\n' },
  codesign: {
    oneDash,
    lines:
      '\n+validate-constraint ~validate-constraint\n+d,dv,dvv,dvvv,dvvvv,display,v,vv,vvv,vvvv,verify,h !s !sign !remove-signature !f !force !extract-certificates !entitlements !detached !file-list !generate-entitlement-der !fs\n',
  },
  lipo: {
    oneDash,
    lines:
      '\n+info,detailed_info,archs,verify_arch !create !extract !extract_family !remove !replace !thin !output !o\n',
  },
  otool: { lines: '\n>-1\n' },
  mdimport: { oneDash, lines: '\n+t,L,A,X ~t ~L ~A ~X ~d1 ~d2 ~d3 ~d4 ~d ~n\n' },
  mdutil: { oneDash, lines: '\n+s ~s ~a ~v\n' },
  textutil: { oneDash, lines: '\n+info ~info ~format ~encoding ~noload ~nostore =format =encoding\n+help ~help\n' },
  qlmanage: { oneDash, lines: '\n+m,h,p ~m ~h ~p ~x\n' },
  say: { lines: '\n!o !output-file !n !network-device !network-send !f !input-file\n' },
  screencapture: { lines: '\n+h\n' },
  system_profiler: { oneDash, lines: '\n>-1\n' },
  softwareupdate: { oneDash, lines: '\n+l,list,history !i !install !d !download ~l ~list ~history ~all\n' },
  pmset: { oneDash, lines: '\n+g ~g\n' },
  nvram: { oneDash, lines: '\n+p ~p ~x\n' },
  csrutil: { lines: '\nstatus\n' },
  fdesetup: { lines: '\nstatus,list,isactive,version\n' },
  systemsetup: {
    oneDash,
    lines:
      '\n+gettimezone,getdate,gettime,getcomputername,getlocalsubnetname,getnetworktimeserver,getremotelogin,getsleep ~gettimezone ~getdate ~gettime ~getcomputername ~getlocalsubnetname ~getnetworktimeserver ~getremotelogin ~getsleep\n',
  },
  airport: { oneDash, lines: '\n+I,s,getinfo,scan ~I ~s ~getinfo ~scan\n' },
  log: { lines: '\nshow,stream,stats,help\n' },
  'xcode-select': { oneDash, lines: '\n+p,print-path,v,version,h ~p ~print-path ~v ~version ~h\n' },
  xcodebuild: {
    oneDash,
    lines:
      '\n+list,version,showsdks,showBuildSettings,showdestinations ~list ~version ~showsdks ~showBuildSettings ~showdestinations ~project ~workspace ~scheme ~json =project =workspace =scheme\n',
  },
  xcrun: {
    oneDash,
    lines:
      '\n+find,f,show-sdk-path,show-sdk-version,show-sdk-platform-path,version ~find ~f ~show-sdk-path ~show-sdk-version ~show-sdk-platform-path ~version ~sdk =sdk\nsimctl list\n',
  },
  vmmap: { lines: '\n>0\n' },
  leaks: { oneDash, lines: '\n!outputGraph !atExit >0\n' },
  heap: { oneDash, lines: '\n>0\n' },
  compression_tool: { oneDash, lines: '\n!o\n' },
  binhex: { oneDash, lines: '\nencode,decode,probe +c !o !C\nprobe\n' },
  macbinary: { lines: '\nprobe\n' },
  caffeinate: { valued: 't w', lines: '\n<0 ~d ~i ~m ~s ~u\n' },
  asr: { lines: '\ninfo\n' },
  bless: { oneDash, lines: '\n+info,getBoot !setBoot !folder !mount !device !file ~info ~getBoot ~verbose ~plist\n' },
  kextstat: { lines: '\n>-1\n' },
  kmutil: { lines: '\nshowloaded,inspect,find\n' },
  ioreg: { lines: '\n>-1\n' },
  mdfind: { lines: '\n>-1\n' },
  ditto: { lines: '\n+help,h ~help ~h\n' },
  dyld_info: { lines: '\n>-1\n' },
}
