// The strip of gltf_test_file.h in the formats that Assimp reads: two columns of four vertices, bone "lower"
// at the origin, "upper" at y = 1, which turns by 90 degrees about z within 1 s.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace skinlight::assimp_test {

inline std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double v : values) {
    if (!text.empty()) text += ' ';
    text += std::to_string(v);
  }
  return text;
}

inline std::string source(const std::string& id, const std::string& type, const std::string& param,
                          int stride, int count, const std::string& values) {
  return "<source id=\"" + id + "\"><" + type + " id=\"" + id + "-array\" count=\"" +
         std::to_string(stride * count) + "\">" + values + "</" + type +
         "><technique_common><accessor source=\"#" + id + "-array\" count=\"" + std::to_string(count) +
         "\" stride=\"" + std::to_string(stride) + "\">" + param +
         "</accessor></technique_common></source>\n";
}

// Collada. A test may change a part before it asks for the text.
struct Collada {
  std::string bind_shape = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
  std::string placement = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";  // of the node that shows the mesh, by row
  std::string up_axis = "Y_UP";
  std::string joint_names = "lower upper";
  std::string vcount = "2 2 2 2 2 2 2 2";
  // Pairs of joint and weight; the weights are 0, 1/4, 1/2, 3/4, 1.
  std::string influences = "0 4 1 0  0 4 1 0  0 3 1 1  0 3 1 1  0 2 1 2  0 2 1 2  0 1 1 3  0 1 1 3";
  std::string polygons =
      "<triangles count=\"6\">INPUTS<p>0 1 2 2 1 3 2 3 4 4 3 5 4 5 6 6 5 7</p></triangles>";
  std::string more_nodes;
  std::string weight_values = "0 .25 .5 .75 1";

  std::string text() const {
    std::vector<double> position, normal, uv;
    for (int row = 0; row < 4; ++row)
      for (int column = 0; column < 2; ++column) {
        position.insert(position.end(), {1.0 * column, 1.0 * row, 0});
        normal.insert(normal.end(), {0, 0, 1});
        uv.insert(uv.end(), {1.0 * column, row / 4.0});
      }
    const std::string xyz =
        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/>";
    std::string faces = polygons;
    faces.replace(faces.find("INPUTS"), 6,
                  "<input semantic=\"VERTEX\" source=\"#vertices\" offset=\"0\"/>"
                  "<input semantic=\"NORMAL\" source=\"#normal\" offset=\"0\"/>"
                  "<input semantic=\"TEXCOORD\" source=\"#uv\" offset=\"0\" set=\"0\"/>");
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
           "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
           "<asset><unit name=\"meter\" meter=\"1\"/><up_axis>" +
           up_axis +
           "</up_axis></asset>\n"
           "<library_geometries><geometry id=\"strip\"><mesh>\n" +
           source("position", "float_array", xyz, 3, 8, numbers(position)) +
           source("normal", "float_array", xyz, 3, 8, numbers(normal)) +
           source("uv", "float_array", "<param name=\"S\" type=\"float\"/><param name=\"T\" type=\"float\"/>",
                  2, 8, numbers(uv)) +
           "<vertices id=\"vertices\"><input semantic=\"POSITION\" source=\"#position\"/></vertices>\n" +
           faces +
           "</mesh></geometry></library_geometries>\n"
           "<library_controllers><controller id=\"skin\"><skin source=\"#strip\"><bind_shape_matrix>" +
           bind_shape + "</bind_shape_matrix>\n" +
           source("joints", "Name_array", "<param name=\"JOINT\" type=\"name\"/>", 1, 2, joint_names) +
           source("inverse", "float_array", "<param name=\"TRANSFORM\" type=\"float4x4\"/>", 16, 2,
                  "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1") +
           source("weights", "float_array", "<param name=\"WEIGHT\" type=\"float\"/>", 1, 5, weight_values) +
           "<joints><input semantic=\"JOINT\" source=\"#joints\"/>"
           "<input semantic=\"INV_BIND_MATRIX\" source=\"#inverse\"/></joints>\n"
           "<vertex_weights count=\"8\"><input semantic=\"JOINT\" source=\"#joints\" offset=\"0\"/>"
           "<input semantic=\"WEIGHT\" source=\"#weights\" offset=\"1\"/><vcount>" +
           vcount + "</vcount><v>" + influences +
           "</v></vertex_weights></skin></controller></library_controllers>\n"
           "<library_animations><animation id=\"bend\">\n" +
           source("times", "float_array", "<param name=\"TIME\" type=\"float\"/>", 1, 2, "0 1") +
           source("angles", "float_array", "<param name=\"ANGLE\" type=\"float\"/>", 1, 2, "0 90") +
           source("ways", "Name_array", "<param name=\"INTERPOLATION\" type=\"name\"/>", 1, 2,
                  "LINEAR LINEAR") +
           "<sampler id=\"sampler\"><input semantic=\"INPUT\" source=\"#times\"/>"
           "<input semantic=\"OUTPUT\" source=\"#angles\"/><input semantic=\"INTERPOLATION\" "
           "source=\"#ways\"/>"
           "</sampler><channel source=\"#sampler\" "
           "target=\"upper/turn.ANGLE\"/></animation></library_animations>\n"
           "<library_visual_scenes><visual_scene id=\"scene\">\n"
           "<node id=\"lower\" sid=\"lower\" name=\"lower\" type=\"JOINT\">"
           "<node id=\"upper\" sid=\"upper\" name=\"upper\" type=\"JOINT\"><translate>0 1 0</translate>"
           "<rotate sid=\"turn\">0 0 1 0</rotate></node></node>\n"
           "<node id=\"body\" name=\"body\"><matrix>" +
           placement +
           "</matrix><instance_controller "
           "url=\"#skin\"><skeleton>#lower</skeleton></instance_controller></node>\n" +
           more_nodes +
           "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene>\n"
           "</COLLADA>\n";
  }
};

// DirectX: row vectors, left-handed, v downwards, quads. The clip's keys are matrices, at ticks 0 and 60
// of 60.
struct DirectX {
  std::string ticks = "AnimTicksPerSecond { 60; }\n";
  std::string last_vertex_of_upper = "7";
  std::string upper = "upper";  // the frame that the second SkinWeights names

  std::string text() const {
    std::string position, normal, uv, lower_weights, upper_weights;
    for (int v = 0; v < 8; ++v) {
      const int step = v / 2;  // along the strip
      const std::string end = v < 7 ? ",\n" : ";\n";
      position += std::to_string(v % 2) + ".0;" + std::to_string(step) + ".0;0.0;" + end;
      normal += "0.0;0.0;-1.0;" + end;
      uv += std::to_string(v % 2) + ".0;" + std::to_string(.25 * step) + ";" + end;
      lower_weights += std::to_string(1 - .25 * step) + end;
      upper_weights += std::to_string(.25 * step) + end;
    }
    const std::string identity = "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;;";
    const auto raised = [](const std::string& y) {
      return "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0," + y + ",0.0,1.0;;";
    };
    return "xof 0303txt 0032\n" + ticks + "Frame lower {\n FrameTransformMatrix { " + identity +
           " }\n Frame upper {\n FrameTransformMatrix { " + raised("1.0") +
           " }\n }\n}\n"
           "Frame body {\n FrameTransformMatrix { " +
           identity + " }\n Mesh strip {\n 8;\n" + position +
           " 3;\n 4;0,2,3,1;,\n 4;2,4,5,3;,\n 4;4,6,7,5;;\n MeshNormals {\n 8;\n" + normal +
           " 3;\n 4;0,2,3,1;,\n 4;2,4,5,3;,\n 4;4,6,7,5;;\n }\n MeshTextureCoords {\n 8;\n" + uv +
           " }\n XSkinMeshHeader { 2; 2; 2; }\n"
           " SkinWeights {\n \"lower\";\n 8;\n 0,\n1,\n2,\n3,\n4,\n5,\n6,\n7;\n" +
           lower_weights + identity + "\n }\n SkinWeights {\n \"" + upper +
           "\";\n 8;\n 0,\n1,\n2,\n3,\n4,\n5,\n6,\n" + last_vertex_of_upper + ";\n" + upper_weights +
           raised("-1.0") +
           "\n }\n }\n}\n"
           "AnimationSet bend {\n Animation {\n { upper }\n AnimationKey {\n 4;\n 2;\n 0;16;" +
           raised("1.0") +
           ",\n 60;16;0.0,1.0,0.0,0.0,-1.0,0.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,1.0,0.0,1.0;;;\n }\n }\n}\n";
  }
};

// MD5: faces turn clockwise; a joint's position and rotation in the model's space, and per weight a position
// in the joint's space.
inline std::string md5_mesh() {
  std::string verts, weights;
  for (int v = 0; v < 8; ++v) {
    const int step = v / 2;  // along the strip
    const std::string x = std::to_string(v % 2), y = std::to_string(step), n = std::to_string(2 * v);
    verts += "vert " + std::to_string(v) + " ( " + x + " " + std::to_string(.25 * step) + " ) " + n + " 2\n";
    weights += "weight " + n + " 0 " + std::to_string(1 - .25 * step) + " ( " + x + " " + y + " 0 )\n";
    weights += "weight " + std::to_string(2 * v + 1) + " 1 " + std::to_string(.25 * step) + " ( " + x + " " +
               std::to_string(step - 1) + " 0 )\n";
  }
  return "MD5Version 10\ncommandline \"\"\n\nnumJoints 2\nnumMeshes 1\n\njoints {\n"
         "\"lower\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"upper\" 0 ( 0 1 0 ) ( 0 0 0 )\n}\n\nmesh {\nshader "
         "\"\"\n\nnumverts 8\n" +
         verts +
         "\nnumtris 6\ntri 0 0 2 1\ntri 1 2 3 1\ntri 2 2 4 3\ntri 3 4 5 3\ntri 4 4 6 5\ntri 5 6 7 5\n\n"
         "numweights 16\n" +
         weights + "}\n";
}

// Two frames, one a second. The upper joint turns by 90 degrees about z: its quaternion is (0, 0, sin 45).
inline std::string md5_anim() {
  return "MD5Version 10\ncommandline \"\"\n\nnumFrames 2\nnumJoints 2\nframeRate 1\nnumAnimatedComponents "
         "1\n\n"
         "hierarchy {\n\"lower\" -1 0 0\n\"upper\" 0 32 0\n}\n\n"
         "bounds {\n( 0 0 0 ) ( 1 3 0 )\n( 0 0 0 ) ( 1 3 0 )\n}\n\n"
         "baseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 0 1 0 ) ( 0 0 0 )\n}\n\nframe 0 {\n0\n}\n\nframe 1 "
         "{\n-0.70710678\n}\n";
}

}  // namespace skinlight::assimp_test
