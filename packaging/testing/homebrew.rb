# Installs a formula from a local archive as Homebrew would, and runs its test: `ruby homebrew.rb FORMULA ARCHIVE PREFIX`.
# It has the part of Homebrew's language that the formula uses, for this machine: an unknown word is an error.
require "digest"
require "fileutils"
require "minitest/assertions"
require "pathname"
require "tmpdir"

# A directory that `install` copies files into.
class Pathname
  def install(*sources)
    mkpath
    sources.flatten.each do |source|
      pairs = source.is_a?(Hash) ? source : { source => File.basename(source) }
      pairs.each { |from, to| FileUtils.cp(from, self + to, preserve: true) }
    end
  end
end

class Formula
  include Minitest::Assertions
  attr_accessor :assertions, :prefix, :testpath

  class << self
    attr_reader :check

    %i[desc homepage version license url sha256].each do |word|
      define_method(word) do |value = nil|
        @facts ||= {}
        value ? @facts[word] = value : @facts.fetch(word)
      end
    end

    def on_linux = yield
    def on_macos = nil
    def on_intel = RbConfig::CONFIG["host_cpu"] == "x86_64" ? yield : nil
    def on_arm = RbConfig::CONFIG["host_cpu"] == "aarch64" ? yield : nil
    def test(&block) = @check = block
  end

  def version = self.class.version
  def bin = prefix + "bin"
  def doc = prefix + "share/doc/ra"
  def man1 = prefix + "share/man/man1"
  def bash_completion = prefix + "etc/bash_completion.d"
  def zsh_completion = prefix + "share/zsh/site-functions"
  def fish_completion = prefix + "share/fish/vendor_completions.d"

  def shell_output(command)
    output = `#{command}`
    raise "#{command} failed" unless $?.success?
    output
  end
end

formula, archive, prefix = ARGV.map { |path| Pathname(path).realdirpath }
load formula
digest = Digest::SHA256.file(archive).hexdigest
raise "the formula has another checksum" unless Ra.sha256 == digest
raise "the formula has another archive" unless Ra.url.end_with?("/#{archive.basename}")

Dir.mktmpdir do |work|
  system("tar", "-xzf", archive.to_s, "-C", work, exception: true)
  ra = Ra.new
  ra.assertions = 0
  ra.prefix = prefix
  # Homebrew enters the only directory of an archive.
  Dir.chdir(Dir.children(work).map { |name| File.join(work, name) }.first) { ra.install }
  ra.testpath = Pathname(work) + "test"
  ra.testpath.mkpath
  ra.instance_eval(&Ra.check)
end
