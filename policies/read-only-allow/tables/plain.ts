import { setOf } from 'hookgate/policy'

/**
 * Programs that only read and print, whatever they are given. What some option has write a file, run a program or send
 * something is not among them.
 */
export const harmless =
  setOf(` : [ true false test echo pwd cat head tac nl rev cut paste join comm fold fmt expand unexpand tr
 colrm column look tsort ptx pr cksum sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum
 xxhsum crc32 base32 basenc od hexdump hd strings nm size readelf objdump dwarfdump addr2line c++filt stat ls dir vdir lsd
 eza exa du df dust duf readlink realpath basename dirname cmp zcmp zcat bzcat xzcat lz4cat zstdcat gzcat zgrep zegrep
 zfgrep bzgrep xzgrep grep egrep fgrep pgrep pidof pstree uptime who w users whoami id groups last lastb logname
 tty uname nproc getconf lscpu lsblk lsusb lsmem lsmod lsns lsipc lslocks lslogins free vmstat mpstat top htop vm_stat
 sw_vers ioreg cal ncal factor seq expr sleep wait type which whereis whatis apropos jobs dirs times
 ulimit shift return exit break continue cd pushd popd jq gojq fq tokei numfmt mountpoint
 getent getfacl lsattr getcap modinfo zipinfo zipgrep pdfinfo pdffonts pathchk ipcs gettext ngettext envsubst infocmp toe
 namei pmap gstat gls ghead gtail gcat gwc gdu greadlink grealpath gcut gtr gseq gecho ggrep gegrep
 hostid systeminfo ver tasklist findstr mdls uuidgen machine hostinfo lpstat jot
 locate plocate mlocate dnsdomainname gbase64 lsb_release atq findmnt getenforce sestatus
 aa-status pkg-config pkgconf dpkg-query xwininfo netstat tput
 clear help bc systemd-cgls systemd-cgtop systemd-detect-virt systemd-path qlist seq lsinitramfs bzmore zmore false yes wc locale col hexyl pwdx acpi xdpyinfo difft csvstat csvlook csvcut csvgrep csvsort csvjson `)

/** Programs that are harmless under conditions: those of a line, as in a `Table`, of one of several lines. */
export const limited = `
sort !o !output !compress-program !files0-from =k =t =S
gsort !o !output !compress-program !files0-from =k =t =S
uniq <1 =f =s =w =skip-fields =skip-chars =check-chars
guniq <1 =f =s =w =skip-fields =skip-chars =check-chars
tail =n =c =s =pid
printf !v
hostname !F !b <0
domainname <0
arch <0
ssh +V ~V <0
script +help,version <0
split +help,version <0
tree !o !output =L =P =I
xxd !r !revert !R =l =s =c =g =o =n =len =seek =cols =groupsize =offset =name <1
file !C !compile !m !magic-file
man !P !pager !H !html !X !gxditview !C !config-file !l !local-file
info !o !output !dribble !restore
rg !pre !hostname-bin
fd !x !X !exec !exec-batch
fdfind !x !X !exec !exec-batch
ag !pager
ack !pager !ackrc !output
bat !pager !config-file !generate-config-file
batcat !pager !config-file !generate-config-file
jaq !i !in-place
xq !i !in-place
yq !i !inplace !in-place !s !split-exp !split-exp-file =o =p
sdiff !o !output !diff-program
diff3 !diff-program
diff !l !paginate
colordiff !l !paginate
cloc !out !report-file !extract-with !sum-reports !sql !write-lang-def
scc !o !output
base64 !o !output =w =wrap =i =input =b =break
iconv !o !output =f =t =from-code =to-code
lastlog !C !clear !S !set
dmidecode !dump-bin
sar !o
shuf !o !output
sensors !s !set !c !config-file
delta !pager !paging !config
compgen ~a ~b ~c ~d ~e ~f ~k ~u ~v =A
ghc-pkg list,describe,field,check,dump,latest,find-module
apt-file search,list,show,find !o !option !c !config-file
direnv status,version
ast-grep run,scan !U !update-all !i !interactive !c !config
ast-grep +p,pattern <3 !U !update-all !i !interactive !c !config
nc +z ~z ~v ~n ~4 ~6 ~u =w ^
ncat +z ~z ~v ~n ~4 ~6 ~u =w ^
iostat !o
pidstat !e
lshw !dump
lsof !D
lspci !A !O !H
history !a !w !r !n !c !d !s <1
alias <0
set <1 +e,u,x,v,o,E,f,C ~e ~u ~x ~v ~o ~E ~f ~C
shopt ~s ~u ~p ~q
umask <0 ~S ~p
hash <0 ~l ~t ~r
enable <0 ~a ~n ~p ~s
trap <0 ~l ~p
bind <0 ~l ~p ~P ~v ~V ~s ~S ~X
complete <0 ~p
kill +l,L
mktemp +u
fuser !k !kill
dig ^ !f !k !y =t =p =q =c =x =b
host ^
nslookup ^ <2
drill ^ !f !w !k !o !Q
whois ^ =h =p
ping ^ !f =c =i =t =W =s =I
ping6 ^ !f =c =i =t =W =s =I
traceroute ^
traceroute6 ^
tracepath ^
ipcalc ^
ss !K !kill !D !diag !F !filter
mount <0 ~l ~v ~V ~h ~help ~version
swapon <0 ~s ~show ~bytes ~noheadings ~raw
blkid !g !w
losetup <0 ~a ~l ~J ~all ~list ~json
fdisk +l,list !w
parted +l,list
sfdisk +l,d,list,dump
dmesg !C !c !clear !read-clear !D !console-off !E !console-on !n !console-level =l =f =s =until =since =level =facility
sysctl !w !write !p !load !f !system <0 +a,A,X,all
sysctl !w !write !p !load !f !system >0 @=
cpupower frequency-info,idle-info,monitor
numactl +H,hardware,s,show <0
crontab <0 ~l
ethtool <1 ~i ~S ~k ~g ~a ~c ~T ~P ~n
arp <1 ~a ~n ~e ~v
route <0 ~n ~e
bridge link,fdb,vlan,mdb <0
bridge link,fdb,vlan,mdb show
nft list
iptables !A !D !I !R !F !X !Z !N !P !E !C !append !delete !insert !replace !flush !zero !new-chain !policy +L,S,list,list-rules
ip6tables !A !D !I !R !F !X !Z !N !P !E !C !append !delete !insert !replace !flush !zero !new-chain !policy +L,S,list,list-rules
ufw status,version
nvidia-smi <0 ~L ~q ~query-gpu ~query-compute-apps ~format =i =id
xrandr <0 ~q ~query ~listmonitors
stty <0 ~a ~g
stty size
ldconfig +p,print-cache !C !f !r !n !l <0
chage +l ~l
iw dev,phy,reg,list <0
iw dev * info,link,scan
dpkg +l,list,L,listfiles,s,status,S,search,p,print-avail,get-selections,print-architecture,I,info,c,contents,V,verify,audit,compare-versions ~l ~list ~L ~listfiles ~s ~status ~S ~search ~p ~print-avail ~get-selections ~print-architecture ~I ~info ~c ~contents ~V ~verify ~audit ~compare-versions
rpm +q,query ~q ~query ~a ~all ~i ~info ~l ~list ~f ~file ~c ~d ~R ~requires ~provides ~changelog ~last ~p ~qf ~queryformat
pacman +Q,query !R !S !U !D !hookdir !config
pacman +S !y !u !c !w !hookdir !config ~S ~s ~i
apk info,list,search,policy,version,dot,stats
snap list,info,find,version,connections,interfaces,changes,tasks,services,warnings
flatpak list,info,search,remotes,remote-ls,history,ps
equery list,files,belongs,depends,depgraph,uses,which,size
apt list,show,search,policy,depends,rdepends,madison,showsrc,changelog,help !o !option !c !config-file
apt-cache show,search,policy,depends,rdepends,madison,showpkg,showsrc,stats,dump,unmet,pkgnames,dotty !o !option !c !config-file
apt-mark showauto,showmanual,showhold,showinstall,showremove
apt-config dump
aptitude search,show,why,why-not,versions
dnf list,info,search,provides,repolist,repoquery,deplist,check-update,updateinfo !setopt !c !config !y
dnf history <0
dnf history list,info
yum list,info,search,provides,repolist,repoquery,deplist,check-update,updateinfo !setopt !c !config !y
zypper search,se,info,if,repos,lr,packages,pa,patches,pch,list-updates,lu,services,ls,what-provides,wp
port list,info,search,installed,outdated,contents,deps,dependents,provides,variants
nix-env +q,query !i !e !u !install !uninstall !upgrade !f !G !S
nix-store +q,query
update-alternatives +list,display,query,get-selections !set !install !remove !auto !config !all
timedatectl <0
timedatectl status,show,list-timezones,timesync-status,show-timesync
localectl <0
localectl status,list-locales,list-keymaps
loginctl <0
loginctl list-sessions,list-users,list-seats,session-status,user-status,seat-status,show-session,show-user,show-seat
resolvectl <0
resolvectl status,query,statistics
hostnamectl <0
hostnamectl status <0
nmcli <0
nmcli general,connection,device,con,dev,g,c,d <0
nmcli general,g status,hostname <0
nmcli connection,con,c,device,dev,d show,status !s !show-secrets
coredumpctl list,info
systemd-analyze <0
systemd-analyze time,blame,critical-chain,dump,dot,calendar,timespan,timestamp,security,cat-config
busctl list,status,tree,introspect
journalctl !vacuum-size !vacuum-time !vacuum-files !rotate !flush !relinquish-var !smart-relinquish-var !sync !setup-keys !update-catalog !cursor-file =u =n =p =o =b =S =U =t =g
`

/** Commands of a project of containers that only show, as lines of a `Table`. */
export const compose = `ps,logs,ls,images,top,port,version,events,stats,volumes,help !o !output =f =file =p =project-name`
/** Lists the parts of a project. Its whole settings are left out: they have the variables of its containers. */
export const composeConfig = `config,convert +services,images,volumes,networks,profiles,hash,quiet,q,no-interpolate !environment !o !output !lock-image-digests =f =file =p =project-name`
