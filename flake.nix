{
  description = "ra, the Research Assistant: search trees of documents by words and by meaning";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      forEachSystem = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = forEachSystem (system: rec {
        ra = nixpkgs.legacyPackages.${system}.callPackage ./packaging/nix/package.nix { };
        default = ra;
      });

      apps = forEachSystem (system: {
        default = {
          type = "app";
          program = "${self.packages.${system}.default}/bin/ra";
        };
      });
    };
}
