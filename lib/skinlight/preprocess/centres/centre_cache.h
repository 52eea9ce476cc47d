// Centres of rotation kept in a file. They depend on the rest pose, the weights and the options only, so they
// are computed once per rig [BTGM19 Sec. 4.1: "stored offline"].
//
// The file: 8 bytes "SLCENTRE"; version (1) and number of vertices; 64 hexadecimal digits of centres_key();
// the four counts of RotationCentres; per vertex centre, along_t, along_b as 9 doubles; per vertex has_centre
// as a byte; 64 hexadecimal digits of the SHA-256 of all before. Integers have 32 bits; all numbers are
// little-endian on every machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "skinlight/preprocess/centres/rotation_centres.h"

namespace skinlight {

// SHA-256, in hexadecimal, of everything that decides the centres: positions, tangents, weights and faces of
// the mesh, its welding, and the options but for threads and progress. The arrays enter as they lie in
// memory: machines of another byte order have other keys, and compute anew.
std::string centres_key(const RiggedMesh& mesh, const Surface& surface, const CentreOptions& options);

// Throws InputError as write_file().
void write_centres(const std::filesystem::path& path, const RotationCentres& centres, const std::string& key);

// Throws InputError naming the file and why it cannot be used: missing, of another format or version,
// truncated, corrupt, or stale: of another key.
RotationCentres read_centres(const std::filesystem::path& path, const std::string& key);

// The centres of the file when it fits; else computed as by rotation_centres() and written there. A file that
// exists and cannot be used, and one that cannot be written, are warnings: the centres are right in any case.
RotationCentres cached_rotation_centres(const RiggedMesh& mesh, const Surface& surface,
                                        const CentreOptions& options, const std::filesystem::path& path,
                                        std::vector<Warning>& warnings);

}  // namespace skinlight
