# Builds ra from this checkout. The version and the description come from Cargo.toml, the dependencies from Cargo.lock.
{
  lib,
  rustPlatform,
  installShellFiles,
}:
let
  workspace = (lib.importTOML ../../Cargo.toml).workspace.package;
in
rustPlatform.buildRustPackage {
  pname = "ra";
  inherit (workspace) version;

  # Documents and packaging don't change the program.
  src = lib.fileset.toSource {
    root = ../..;
    fileset = lib.fileset.unions [
      ../../Cargo.toml
      ../../Cargo.lock
      ../../LICENSE-APACHE
      ../../LICENSE-MIT
      ../../crates
    ];
  };
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [
    "--package"
    "ra-kb"
  ];

  # The tests compare the program with the documentation, which isn't part of `src`. .ci/run runs them.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = ''
    installShellCompletion --cmd ra \
      --bash <($out/bin/ra completions bash) \
      --fish <($out/bin/ra completions fish) \
      --zsh <($out/bin/ra completions zsh)
    $out/bin/ra man > ra.1
    installManPage ra.1
  '';

  meta = {
    inherit (workspace) description;
    homepage = workspace.repository;
    license = with lib.licenses; [
      mit
      asl20
    ];
    mainProgram = "ra";
    platforms = lib.platforms.unix;
  };
}
