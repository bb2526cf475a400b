# Has just enough of nixpkgs to evaluate the flake of ra without a network: it shows what would be built, and builds
# nothing.
{
  outputs =
    { self }:
    let
      lib = {
        genAttrs =
          names: value:
          builtins.listToAttrs (
            map (name: {
              inherit name;
              value = value name;
            }) names
          );
        importTOML = path: builtins.fromTOML (builtins.readFile path);
        fileset = {
          unions = paths: assert builtins.all builtins.pathExists paths; paths;
          toSource = { root, fileset }: builtins.length fileset;
        };
        licenses = {
          mit = "MIT";
          asl20 = "Apache-2.0";
        };
        platforms.unix = [ ];
      };
      packages = {
        inherit lib;
        installShellFiles = "installShellFiles";
        rustPlatform.buildRustPackage =
          attributes:
          assert builtins.pathExists attributes.cargoLock.lockFile;
          derivation {
            name = "${attributes.pname}-${attributes.version}";
            system = "x86_64-linux";
            builder = "/bin/sh";
            inherit (attributes) cargoBuildFlags nativeBuildInputs postInstall src;
          };
      };
    in
    {
      inherit lib;
      legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] (
        system:
        packages
        // {
          callPackage =
            file: overrides:
            let
              function = import file;
            in
            function (builtins.intersectAttrs (builtins.functionArgs function) packages // overrides);
        }
      );
    };
}
