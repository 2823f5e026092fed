import { limits } from '../model/limits.ts'

/** What the client in Perl finds around it, and sends with the event. */
export const aroundSource = String.raw`# The working folder, and every variable: the gate decides in them as a process of its own would.
sub around {
  my ($is, $inode) = stat '.';
  # The shell's name for it may be that of another one, and one that is gone has none.
  my ($folder) = grep {
    my @found = defined $_ && m{^/} ? stat $_ : ();
    @found && $found[0] == $is && $found[1] == $inode;
  } readlink '/proc/self/cwd', $ENV{PWD};
  $folder = '/' unless defined $folder;
  my %theirs = %ENV;
  locale_of(\%theirs);
  my $all = join '', map { $_ . "\0" } $folder, map { $_ . '=' . $theirs{$_} } keys %theirs;
  return length $all > ${limits.callerBytesMax} ? undef : $all;
}

# The file that called us put it aside.
sub locale_of {
  my ($of) = @_;
  my $locale = delete $of->{HOOKGATE_LOCALE};
  if ($locale ne '') { $of->{LC_ALL} = $locale }
  else { delete $of->{LC_ALL} }
}`
